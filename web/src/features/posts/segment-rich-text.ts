import type { Post } from "@/api/types";

type Entity = Post["mentions"][number] | Post["hashtags"][number] | Post["links"][number];

/** A stretch of a post as it is shown, and the mention, hashtag or link that it is, if any. */
export interface RichTextSegment {
  text: string;
  entity?: Entity;
}

type RichPost = Pick<Post, "content" | "mentions" | "hashtags" | "links">;

/**
 * Splits a post into parts to render. All entities come from the server, so that what merely looks
 * like one never becomes a link; of two that overlap the first counts.
 */
export function segmentRichText({
  content,
  mentions,
  hashtags,
  links,
}: RichPost): RichTextSegment[] {
  const segments: RichTextSegment[] = [];
  let position = 0;
  const entities = [...mentions, ...hashtags, ...links].toSorted((a, b) => a.start - b.start);
  for (const entity of entities) {
    const { start, end } = entity;
    if (start < position) continue;
    const text = "label" in entity ? entity.label : content.slice(start, end);
    segments.push({ text: content.slice(position, start) }, { text, entity });
    position = end;
  }
  segments.push({ text: content.slice(position) });
  return segments;
}
