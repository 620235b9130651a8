import Markdown, { type Components } from "react-markdown";

/** The page has its title above the text, so that headings begin one level lower. */
const components: Components = {
  h1: "h2",
  h2: "h2",
  h4: "h3",
  h5: "h3",
  h6: "h3",
  a: ({ href, title, children }) => (
    <a href={href} title={title} rel="noopener noreferrer">
      {children}
    </a>
  ),
};

/** Renders Markdown without HTML and without images, which would reveal the reader's IP address to other servers. */
export default function MarkdownContent({ text }: { text: string }) {
  return (
    <Markdown skipHtml disallowedElements={["img"]} components={components}>
      {text}
    </Markdown>
  );
}
