import { Link } from "wouter";
import type { Post } from "@/api/types";
import { richText, type TextPart } from "@/lib/rich-text";
import { tagAddress } from "@/lib/tag";

const linkClass =
  "text-ember-deep underline decoration-ember/40 underline-offset-3 hover:decoration-current [overflow-wrap:anywhere]";

interface Props {
  post: Post;
  /** Shows mentions, hashtags and links without their destinations. */
  inert?: boolean;
}

/** The text of a post with its line breaks, mentions, hashtags and links. */
export function PostText({ post, inert = false }: Props) {
  return (
    <div dir="auto" className="clip-marks whitespace-pre-wrap [overflow-wrap:anywhere]">
      {richText(post).map((part, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- a post's text never changes
        <Part key={index} {...part} inert={inert} />
      ))}
    </div>
  );
}

function Part({ text, entity, inert }: TextPart & { inert: boolean }) {
  if (!entity) return text;
  // Each reads from its own beginning, whatever stands around it: what stands first in an address is
  // the host that it leads to.
  const dir = "tag" in entity ? "auto" : "ltr";
  if (inert) {
    return (
      <span dir={dir} className="text-ember-deep">
        {text}
      </span>
    );
  }
  if ("username" in entity) {
    return (
      <Link href={`/profile/${entity.username}`} dir={dir} className={linkClass}>
        {text}
      </Link>
    );
  }
  if ("tag" in entity) {
    return (
      <Link href={tagAddress(entity.tag)} dir={dir} className={linkClass}>
        {text}
      </Link>
    );
  }
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
