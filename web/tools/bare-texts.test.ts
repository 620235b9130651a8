import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type NodePath, parseSync, traverse, types as t } from "@babel/core";
import { expect, test } from "vitest";

/** Macros of Lingui, whose texts are extracted for translation. */
const MACROS = new Set(["t", "msg", "plural", "select", "selectOrdinal", "Trans", "Plural"]);

/** Attributes that browsers or screen readers present to the member. */
const VISIBLE_ATTRIBUTE =
  /^(?:aria-(?:label|description|roledescription|valuetext|placeholder)|title|placeholder|alt|label)$/;

/** A capitalised word, or the end of a sentence. */
const PROSE = /^\p{Lu}\p{Ll}+(?:[\s.,:;!?…]|$)|^[^/]*\p{Ll}{2,}[.!?…]$/u;

/** Texts that are the same in every language, or not shown. */
const UNTRANSLATED = new Set([
  "ABCD2345EFGH",
  "ALT",
  "Deutsch",
  "English",
  "Enter",
  "Files",
  "friend@example.com",
  "https://example.org",
  "you@example.com",
]);

/** The defaults of settings that the operator writes. */
const UNTRANSLATED_FILES = new Set(["lib/site.ts"]);

const isMacro = (node: t.Node | null | undefined) =>
  (t.isIdentifier(node) || t.isJSXIdentifier(node)) && MACROS.has(node.name);

/** Whether Lingui extracts the text, or it is a class name, compared, imported or thrown for developers. */
function isExempt(path: NodePath): boolean {
  const exempt = path.findParent(
    ({ node }) =>
      (t.isJSXElement(node) && isMacro(node.openingElement.name)) ||
      (t.isTaggedTemplateExpression(node) && isMacro(node.tag)) ||
      (t.isCallExpression(node) && isMacro(node.callee)) ||
      (t.isNewExpression(node) &&
        t.isIdentifier(node.callee) &&
        node.callee.name.endsWith("Error")) ||
      (t.isBinaryExpression(node) && /^(?:[!=]==?|in)$/.test(node.operator)) ||
      (t.isJSXAttribute(node) && t.isJSXIdentifier(node.name, { name: "className" })) ||
      t.isImportDeclaration(node) ||
      t.isTSType(node),
  );
  return exempt !== null;
}

function isVisibleAttribute({ parent, parentPath }: NodePath): boolean {
  const attribute = t.isJSXExpressionContainer(parent) ? parentPath?.parent : parent;
  return (
    t.isJSXAttribute(attribute) &&
    t.isJSXIdentifier(attribute.name) &&
    VISIBLE_ATTRIBUTE.test(attribute.name.name)
  );
}

/** Finds texts that are probably visible, and that no macro marks for translation. */
function findBareTexts(code: string, filename: string): string[] {
  const tree = parseSync(code, {
    filename,
    babelrc: false,
    configFile: false,
    parserOpts: { plugins: ["typescript", ...(filename.endsWith("x") ? ["jsx" as const] : [])] },
  });
  if (!tree) throw new Error(`${filename} is empty.`);
  const found: string[] = [];
  const add = (path: NodePath, value: string, isVisible: boolean) => {
    const text = value.trim();
    if (!(isVisible ? /\p{L}/u : PROSE).test(text)) return;
    if (!UNTRANSLATED.has(text) && !isExempt(path)) found.push(text);
  };
  traverse(tree, {
    noScope: true,
    JSXText: (path) => add(path, path.node.value, true),
    StringLiteral: (path) => add(path, path.node.value, isVisibleAttribute(path)),
    TemplateLiteral: (path) =>
      add(
        path,
        path.node.quasis.map(({ value }) => value.cooked).join(" "),
        isVisibleAttribute(path),
      ),
  });
  return found;
}

test("finds texts that no macro marks for translation", () => {
  const code = `
    const title = "Hello";
    throw new Error("Not shown.");
    const view = (
      <p title={\`of \${name}\`} aria-label="close" className="flex gap-2">
        likes <Trans>Translated <b>text</b></Trans> {t\`Translated\`} {plural(n, { other: "Votes" })}
        {isNew ? "Welcome back!" : null}
      </p>
    );`;
  expect(findBareTexts(code, "example.tsx")).toEqual([
    "Hello",
    "of",
    "close",
    "likes",
    "Welcome back!",
  ]);
});

test("texts of the app are marked for translation", { timeout: 30_000 }, () => {
  const source = fileURLToPath(new URL("../src", import.meta.url));
  const bare = readdirSync(source, { recursive: true, encoding: "utf8" })
    .filter((file) => /(?<!\.test|\.gen|\.d)\.tsx?$/.test(file) && !file.startsWith("test/"))
    .filter((file) => !UNTRANSLATED_FILES.has(file))
    .flatMap((file) =>
      findBareTexts(readFileSync(`${source}/${file}`, "utf8"), file).map(
        (text) => `${file}: ${text}`,
      ),
    );
  expect(bare).toEqual([]);
});
