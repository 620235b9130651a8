import { fromMarkdown } from "mdast-util-from-markdown";
import { toString } from "mdast-util-to-string";

type Block = ReturnType<typeof fromMarkdown>["children"][number];

const textOnly = { includeHtml: false, includeImageAlt: false };

/** The items of all lists in a text in Markdown, each once and as one line, those of numbered lists with their numbers. */
export function listRules(markdown: string, maxLength: number): string[] {
  const items = listItems(fromMarkdown(markdown).children);
  return [...new Set(items.map((item) => shorten(item, maxLength)))];
}

function listItems(blocks: readonly Block[]): string[] {
  return blocks.flatMap((block) => {
    if (block.type === "blockquote") return listItems(block.children);
    if (block.type !== "list") return [];
    const first = block.start ?? 1;
    return block.children.flatMap(({ children }, index) => {
      const own = children.filter(({ type }) => type !== "list");
      const text = own
        .map((child) => toString(child, textOnly))
        .join(" ")
        .replaceAll(/\s+/g, " ")
        .trim();
      const number = block.ordered ? `${first + index}. ` : "";
      return [...(text ? [number + text] : []), ...listItems(children)];
    });
  });
}

function shorten(text: string, maxLength: number): string {
  const characters = Array.from(text);
  return characters.length > maxLength ? `${characters.slice(0, maxLength - 1).join("")}…` : text;
}
