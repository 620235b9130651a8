import { lazyComponent, lazyModule } from "@/lib/state/lazy-module";

interface Props {
  text: string;
}

// Few pages need the library, which must not come with the feed.
const Content = lazyComponent<Props>(
  lazyModule(() => import("./markdown")),
  PlainText,
);

/** Markdown of the operator; unformatted if the formatting code cannot be loaded. */
export function MarkdownText({ text }: Props) {
  return <Content props={{ text }} fallback={<PlainText text={text} />} />;
}

function PlainText({ text }: Props) {
  return <p className="whitespace-pre-wrap">{text}</p>;
}
