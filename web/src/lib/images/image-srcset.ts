/** The widths of a member's picture, and of the image above a profile. */
const widths = { avatar: [96, 200, 400], header: [600, 1_200, 1_500] };

/**
 * The props of an `<img>` that chooses among the sizes of an image. The server makes all sizes if the
 * picture is large enough for the last; else only that is known.
 */
export function getImageSources(url: string, kind: keyof typeof widths) {
  const folder = /^(\/images\/[0-9a-f]+\/)(\d+)\.webp$/.exec(url);
  if (!folder || Number(folder[2]) !== widths[kind].at(-1)) return { src: url };
  const srcSet = widths[kind].map((width) => `${folder[1]}${width}.webp ${width}w`).join(", ");
  return { src: url, srcSet };
}
