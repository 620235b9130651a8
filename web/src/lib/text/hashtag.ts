export function getHashtagHref(tag: string): string {
  return `/tag/${encodeURIComponent(tag)}`;
}

/**
 * Returns the tag in a URL, without its #. The router has decoded the parameter, except for `%23` and other
 * reserved characters; a typed percent sign is literal.
 */
export function parseHashtagParam(param: string): string {
  let tag = param;
  try {
    tag = decodeURIComponent(param);
  } catch {
    // The URL was typed by hand.
  }
  return tag.replace(/^[#＃]/, "");
}
