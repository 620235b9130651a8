import type { PostImage } from "@/api/types";
import { MAX_IMAGES } from "@/lib/image-file";
import { normalizePost } from "@/lib/post-text";

/** An image of a post being written. */
export interface DraftImage {
  id: string;
  /** What it shows, in the member's words. */
  alt: string;
  /** What the server made of it; null while it is on its way. */
  ready: ReadyImage | null;
}

/** An image that can be posted. */
export interface ReadyImage {
  /** The name of the upload it was made of. */
  upload: string;
  image: PostImage;
}

/** Most characters of a description. */
export const MAX_ALT_LENGTH = 1_000;

/** How many more images a draft can take. */
export function roomFor(images: readonly DraftImage[]): number {
  return Math.max(0, MAX_IMAGES - images.length);
}

/** The images with one of them a place further left (-1) or right (1), if there is one. */
export function moveImage(
  images: readonly DraftImage[],
  id: string,
  step: -1 | 1,
): readonly DraftImage[] {
  const from = images.findIndex((image) => image.id === id);
  const moved = images[from];
  const other = images[from + step];
  if (!moved || !other) return images;
  return images.map((image, at) => {
    if (at === from) return other;
    return at === from + step ? moved : image;
  });
}

/** The images with one of them changed. */
export function changeImage(
  images: readonly DraftImage[],
  id: string,
  change: Partial<DraftImage>,
): readonly DraftImage[] {
  return images.map((image) => (image.id === id ? { ...image, ...change } : image));
}

/** What a post says of its images: nothing when there are none. */
export function imagesOfPost(images: readonly DraftImage[]): {
  imageUrls?: string[];
  imageAlts?: (string | null)[];
} {
  const ready = images.flatMap(({ alt, ready: made }) => (made ? [{ alt, ...made }] : []));
  if (ready.length === 0) return {};
  const imageAlts = ready.map(({ alt }) => normalizePost(alt) || null);
  return {
    imageUrls: ready.map(({ image }) => image.url),
    ...(imageAlts.some((alt) => alt !== null) && { imageAlts }),
  };
}

/** The images that survive a reload: those that the server has. */
export function keptImages(images: readonly DraftImage[]): readonly DraftImage[] {
  return images.filter(({ ready }) => ready !== null);
}

/** Makes images of whatever an earlier version may have stored, leaving out what is damaged. */
export function parseImages(value: unknown): readonly DraftImage[] {
  if (!Array.isArray(value)) return [];
  return value.filter(isReady).slice(0, MAX_IMAGES);
}

function isReady(value: unknown): value is DraftImage {
  if (!isRecord(value) || !isRecord(value["ready"])) return false;
  const { upload, image } = value["ready"];
  if (!isRecord(image)) return false;
  const texts = [value["id"], value["alt"], upload, image["url"], image["thumbhash"]];
  const numbers = [image["width"], image["height"]];
  return (
    [...texts, image["srcset"], image["alt"]].every((it) => typeof it === "string") &&
    numbers.every((it) => typeof it === "number")
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
