import { describe, expect, it } from "vitest";
import { withPreloads } from "./preloads";
import type { Script } from "./size-budget";

function scriptOf(fileName: string, moduleId: string, imports: string[]): Script {
  return { fileName, moduleIds: [moduleId], imports, code: "" };
}

const scripts = [
  scriptOf("assets/index.js", "/src/app/main.tsx", []),
  scriptOf("assets/cards.js", "/src/features/card.tsx", ["assets/index.js"]),
  scriptOf("assets/thread.js", "/src/screens/thread.tsx", ["assets/index.js", "assets/cards.js"]),
];
const page = '<script src="/start.js"></script><script src="/assets/index.js"></script>';

describe("the attributes of start.js", () => {
  it("list the scripts of a path segment and all they import, without those of the HTML", () => {
    expect(withPreloads(page, scripts, { post: ["screens/thread.tsx"], none: ["main.tsx"] })).toBe(
      '<script src="/start.js" data-post="assets/thread.js assets/cards.js" data-none=""></script>' +
        '<script src="/assets/index.js"></script>',
    );
  });
  it("need the tag of that script", () => {
    expect(() => withPreloads("<html></html>", scripts, {})).toThrow(/no script/);
  });
});
