import { Link } from "wouter";
import type { Post } from "@/api/types";
import { richText, type TextPart } from "@/lib/rich-text";
import { tagAddress } from "@/lib/tag";

const linkClass =
  "text-ember-deep underline decoration-ember/40 underline-offset-3 hover:decoration-current [overflow-wrap:anywhere]";

interface Props {
  post: Post;
  /** Shows mentions, hashtags and addresses without making links of them. */
  inert?: boolean;
}

/** What a post says, with its line breaks, mentions, hashtags and web addresses. */
export function PostText({ post, inert = false }: Props) {
  return (
    <div dir="auto" className="clip-marks whitespace-pre-wrap [overflow-wrap:anywhere]">
      {richText(post.content, post.mentions, post.hashtags).map((part, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- a post's text never changes
        <Part key={index} part={part} inert={inert} />
      ))}
    </div>
  );
}

function Part({ part, inert }: { part: TextPart; inert: boolean }) {
  if (part.kind === "text") return part.text;
  // Each reads from its own beginning, whatever stands around it: what stands first in an address is
  // the host that it leads to.
  const dir = part.kind === "hashtag" ? "auto" : "ltr";
  if (inert) {
    return (
      <span dir={dir} className="text-ember-deep">
        {part.text}
      </span>
    );
  }
  if (part.kind === "mention") {
    return (
      <Link href={`/profile/${part.username}`} dir={dir} className={linkClass}>
        {part.text}
      </Link>
    );
  }
  if (part.kind === "hashtag") {
    return (
      <Link href={tagAddress(part.tag)} dir={dir} className={linkClass}>
        {part.text}
      </Link>
    );
  }
  return (
    <a href={part.href} dir={dir} target="_blank" rel="noopener nofollow ugc" className={linkClass}>
      {part.text}
    </a>
  );
}
