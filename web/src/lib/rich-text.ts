/** A stretch of a post as it is shown: plain text, a mention of a member, a hashtag, or a web address. */
export type TextPart =
  | { kind: "text"; text: string }
  | { kind: "mention"; text: string; username: string }
  | { kind: "hashtag"; text: string; tag: string }
  | { kind: "link"; text: string; href: string };

/** A mention as the server resolved it: UTF-16 offsets into the post's content. */
export interface MentionSpan {
  username: string;
  start: number;
  end: number;
}

/** A hashtag as the server found it; `tag` is the form in which tags are listed. */
export interface HashtagSpan {
  tag: string;
  start: number;
  end: number;
}

/** The beginning of an address: its host of letters, digits, hyphens and low lines, or of a number, and its port. */
const begun = /^https?:\/\/([\p{L}\p{M}\p{Nd}_.-]+|\[[\da-f:.]+\])(?::\d+)?(?:[/?#]|$)/iu;
/** Ends at white space, quotes and what cannot be seen, but for what joins letters and makes emoji. */
const address =
  /\bhttps?:\/\/(?:[^\u{16fe4}\s<>"'`\p{Default_Ignorable_Code_Point}\u2800\u{1d159}]|\p{Join_Control}|\ufe0f)+/giu;
/** What seems to go on where it does not: after something that is not seen, or hardly. */
const goingOn =
  /^[\u{16fe4}\p{Default_Ignorable_Code_Point}\u2000-\u200a\u2028\u2029\u202f\u205f\u2800\u{1d159}]+[\p{L}\p{N}.-]/u;
/** A text that ends in a space, a line break or nothing, and then what may stand before a word. */
const opened = /(?:^|[ \t\n\u3000])[\p{Ps}\p{Pi}\p{Pf}<"'`]*$/u;
/** What may stand between two addresses that are read as one where a line ends between them. */
const between = /^[\s\p{Ps}\p{Pi}\p{Pf}<"'`]*$/u;
/** A text that begins with what may stand behind a word, and then a space, a line break or nothing. */
const closed = /^[\p{P}<>`]*(?:$|[ \t\n\u3000])/u;

/**
 * Splits a post into parts to render. Mentions and hashtags come from the server, so that what
 * merely looks like one never becomes a link; spans that overlap or leave the text are ignored.
 */
export function richText(
  content: string,
  mentions: readonly MentionSpan[] = [],
  hashtags: readonly HashtagSpan[] = [],
): TextPart[] {
  const parts: TextPart[] = [];
  let position = 0;
  const spans = [...mentions, ...hashtags].toSorted((a, b) => a.start - b.start);
  for (const span of spans) {
    const { start, end } = span;
    if (start < position || end <= start || end > content.length) continue;
    parts.push(...linkify(content, position, start));
    const text = content.slice(start, end);
    parts.push(
      "tag" in span
        ? { kind: "hashtag", text, tag: span.tag }
        : { kind: "mention", text, username: span.username },
    );
    position = end;
  }
  parts.push(...linkify(content, position, content.length));
  return parts;
}

function linkify(content: string, from: number, to: number): TextPart[] {
  const parts: TextPart[] = [];
  let position = from;
  for (const match of content.slice(from, to).matchAll(address)) {
    const found = withoutTrailingPunctuation(match[0]);
    const start = from + match.index;
    const isCutInHost =
      /^https?:\/\/[^/?#]*$/iu.test(match[0]) &&
      goingOn.test(content.slice(start + match[0].length));
    if (isCutInHost || !namesItsHost(found)) continue;
    const before = content.slice(position, start);
    const follows = parts.at(-1)?.kind === "link" && between.test(before);
    if (before !== "") parts.push({ kind: "text", text: before });
    position = start + found.length;
    const standsApart =
      !follows && opened.test(content.slice(0, start)) && closed.test(content.slice(position));
    // Without its scheme it would read as the rest of what stands beside it: as a page of another host.
    parts.push({
      kind: "link",
      text: standsApart ? addressLabel(found) : withParsedHost(found),
      href: found,
    });
  }
  if (position < to) parts.push({ kind: "text", text: content.slice(position, to) });
  return parts;
}

/**
 * Whether an address begins with its host, written as one reads it: before a host, a name or a
 * password would look like one, and in it what looks like a slash or a dot would.
 */
function namesItsHost(found: string): boolean {
  const host = begun.exec(found)?.[1];
  return host !== undefined && URL.canParse(found) && host.split(".").every(isOfOneScript);
}

/**
 * Whether a part of a host mixes Latin letters with none of other scripts, such as the ノ of Japanese,
 * and with no strokes: what is left of accents once they are part of their letter may be a slash.
 */
function isOfOneScript(label: string): boolean {
  const whole = label.normalize("NFC");
  return (
    !/\p{Script=Latin}/u.test(whole) ||
    /^[a-z\u00c0-\u01bf\u01c4-\u024f\u1e00-\u1eff\p{Nd}_:[\]-]*$/iu.test(whole)
  );
}

/** Gives back the full stop, comma, closing quote or unopened bracket that ends the sentence, not the address. */
function withoutTrailingPunctuation(found: string): string {
  let end = found.length;
  for (; end > 0; end -= 1) {
    const last = found.charAt(end - 1);
    if (/[.,;:!?*_~…”’»›]/.test(last)) continue;
    const head = found.slice(0, end);
    if (last === ")" && count(head, ")") > count(head, "(")) continue;
    if (last === "]" && count(head, "]") > count(head, "[")) continue;
    break;
  }
  return found.slice(0, end);
}

function count(text: string, character: string): number {
  return text.split(character).length - 1;
}

/** A web address as people say it: without scheme, the `www.` of a host and a lone closing slash. */
export function addressLabel(href: string): string {
  return withParsedHost(href)
    .replace(/^https?:\/\/(?:www\.(?=[\p{L}\p{Nd}]))?/iu, "")
    .replace(/\/$/, "");
}

/** The address with the host that it leads to, where letters that look like others hide it. */
function withParsedHost(href: string): string {
  const typed = begun.exec(href)?.[1];
  if (typed === undefined || !URL.canParse(href)) return href;
  const { hostname } = new URL(href);
  return hostname === typed.toLowerCase() ? href : href.replace(typed, () => hostname);
}

/** The address if it is safe to link to (http or https), otherwise null. */
export function webAddress(href: string | null | undefined): string | null {
  if (!href || !URL.canParse(href)) return null;
  return /^https?:$/.test(new URL(href).protocol) ? href : null;
}
