import type { DraftImage } from "./draft-images";

/** An image for tests that the server has made; its name is in its address. */
export function readyImage(id: string, alt = ""): DraftImage {
  const url = `/images/${id}/800.webp`;
  const image = { url, width: 800, height: 600, alt: "", thumbhash: "", srcset: `${url} 800w` };
  return { id, alt, ready: { upload: `upload-${id}`, image } };
}
