export function getHashtagHref(tag: string): string {
  return `/tag/${encodeURIComponent(tag)}`;
}

/**
 * The tag that an address names, without its #. Takes what the router has decoded already: that
 * leaves `%23` and its like, and a percent sign that somebody typed stands for itself.
 */
export function parseHashtagParam(param: string): string {
  let tag = param;
  try {
    tag = decodeURIComponent(param);
  } catch {
    // The address was typed by hand.
  }
  return tag.replace(/^[#＃]/, "");
}
