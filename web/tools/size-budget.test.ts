import { describe, expect, it } from "vitest";
import { type Script, scriptsOf, sumCompressedSizes } from "./size-budget";

function scriptOf(fileName: string, moduleIds: string[], imports: string[], code = ""): Script {
  return { fileName, moduleIds, imports, code };
}

const scripts = [
  scriptOf("index.js", ["/src/app/main.tsx"], ["shared.js"]),
  scriptOf("landing.js", ["/src/screens/landing.tsx"], ["index.js", "dialog.js"]),
  scriptOf("home.js", ["/src/app/member.tsx", "/src/screens/home.tsx"], ["index.js"]),
  scriptOf("dialog.js", ["/src/ui/dialog.tsx"], ["shared.js", "index.js"]),
  scriptOf("shared.js", ["/node_modules/react/index.js"], []),
];
const namesOf = (...starts: string[]) =>
  [...scriptsOf(scripts, starts)].map((script) => script.fileName).toSorted();

describe("the initial scripts of a page", () => {
  it("are those of its first modules and all that they import, each once", () => {
    expect(namesOf("app/main.tsx", "screens/landing.tsx")).toEqual([
      "dialog.js",
      "index.js",
      "landing.js",
      "shared.js",
    ]);
    expect(namesOf("app/main.tsx", "screens/home.tsx")).toEqual([
      "home.js",
      "index.js",
      "shared.js",
    ]);
  });
  it("cannot be found for a module that no script contains", () => {
    expect(() => namesOf("screens/attic.tsx")).toThrow(/attic/);
  });
  it("are as large as gzip compresses them", () => {
    const code = "export const greeting = 'hello';\n".repeat(200);
    const one = sumCompressedSizes([scriptOf("a.js", [], [], code)]);
    expect(one).toBeGreaterThan(20);
    expect(one).toBeLessThan(code.length / 10);
    expect(
      sumCompressedSizes([scriptOf("a.js", [], [], code), scriptOf("b.js", [], [], code)]),
    ).toBe(2 * one);
  });
});
