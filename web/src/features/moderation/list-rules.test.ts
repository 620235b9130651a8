import { describe, expect, it } from "vitest";
import { listRules } from "./list-rules";

describe("the rules that a moderator chooses from", () => {
  // proves: sanction-rule-field
  it("are the items of all lists, with the numbers of numbered ones", () => {
    const markdown = `# Rules

Be kind.

1. **No** insults, see [this](https://example.org)
2. No advertising
   also not in replies
3) Another list

- No \`spam\`
  - Nor links to it

> * Quoted

\`\`\`
- not a rule
\`\`\`
`;
    expect(listRules(markdown, 300)).toEqual([
      "1. No insults, see this",
      "2. No advertising also not in replies",
      "3. Another list",
      "No spam",
      "Nor links to it",
      "Quoted",
    ]);
  });
  it("have no HTML and no images, each is there once, and an empty one not at all", () => {
    const markdown = "- <b>Be</b> kind ![smile](x.png)\n- Be kind\n-\n- ![only](y.png)";
    expect(listRules(markdown, 300)).toEqual(["Be kind"]);
  });
  it("are shortened by whole characters", () => {
    expect(listRules("- 🌻🌻🌻🌻", 3)).toEqual(["🌻🌻…"]);
    expect(listRules("- 🌻🌻🌻", 3)).toEqual(["🌻🌻🌻"]);
  });
  it("are none without a list", () => {
    expect(listRules("Be kind.", 300)).toEqual([]);
  });
});
