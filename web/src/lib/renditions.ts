/** What an `<img>` needs to choose among the sizes of an image. */
export interface Sources {
  src: string;
  srcSet?: string;
}

const AVATAR = [96, 200, 400];
const HEADER = [600, 1_200, 1_500];

/** The sizes of a member's picture. */
export function avatarSources(url: string): Sources {
  return sourcesOf(url, AVATAR);
}

/** The sizes of the image above a profile. */
export function headerSources(url: string): Sources {
  return sourcesOf(url, HEADER);
}

/** The server makes all sizes if the picture is large enough for the last; else only that is known. */
function sourcesOf(url: string, widths: readonly number[]): Sources {
  const folder = /^(\/images\/[0-9a-f]+\/)(\d+)\.webp$/.exec(url);
  if (!folder || Number(folder[2]) !== widths.at(-1)) return { src: url };
  return {
    src: url,
    srcSet: widths.map((width) => `${folder[1]}${width}.webp ${width}w`).join(", "),
  };
}
