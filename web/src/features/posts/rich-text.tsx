import { Link } from "wouter";
import type { Post } from "@/api/types";
import { segmentRichText, type RichTextSegment } from "./segment-rich-text";
import { getHashtagHref } from "@/lib/text/hashtag";

const linkClass =
  "text-primary-strong underline decoration-primary/40 underline-offset-3 hover:decoration-current wrap-anywhere";

/** The text of a post; `inert` shows mentions, hashtags and links without their destinations. */
export function RichText({ post, inert = false }: { post: Post; inert?: boolean }) {
  return (
    <div dir="auto" className="clip-marks whitespace-pre-wrap wrap-anywhere">
      {segmentRichText(post).map((segment, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- a post's text never changes
        <Segment key={index} {...segment} inert={inert} />
      ))}
    </div>
  );
}

function Segment({ text, entity, inert }: RichTextSegment & { inert: boolean }) {
  if (!entity) return text;
  // Each entity has its own text direction, whatever surrounds it: a URL has to begin with its host.
  const dir = "tag" in entity ? "auto" : "ltr";
  if (inert) {
    return (
      <span dir={dir} className="text-primary-strong">
        {text}
      </span>
    );
  }
  if ("url" in entity) {
    return (
      <a
        href={entity.url}
        dir={dir}
        target="_blank"
        rel="noopener nofollow ugc"
        className={linkClass}
      >
        {text}
      </a>
    );
  }
  const href = "tag" in entity ? getHashtagHref(entity.tag) : `/profile/${entity.username}`;
  return (
    <Link href={href} dir={dir} className={linkClass}>
      {text}
    </Link>
  );
}
