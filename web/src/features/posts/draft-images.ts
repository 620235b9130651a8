import type { Upload } from "@/api/upload/upload";
import type { CreatePostInput, PostImage } from "@/api/types";
import { MAX_IMAGES } from "@/lib/images/validate-image";
import { normalizePost } from "@/lib/text/post-text";

export interface DraftImage {
  id: string;
  alt: string;
  ready: { upload: string; image: PostImage } | null;
}

export const MAX_ALT_LENGTH = 1_000;

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
  return moved && other ? images.with(from, other).with(from + step, moved) : images;
}

export function changeImage(
  images: readonly DraftImage[],
  id: string,
  change: Partial<DraftImage>,
): readonly DraftImage[] {
  return images.map((image) => (image.id === id ? { ...image, ...change } : image));
}

/** What a post says of its images: nothing when there are none. */
export function imagesOfPost(images: readonly DraftImage[]): CreatePostInput {
  const ready = images.flatMap(({ alt, ready: made }) => (made ? [{ alt, ...made }] : []));
  if (ready.length === 0) return {};
  const imageAlts = ready.map(({ alt }) => normalizePost(alt) || null);
  return {
    imageUrls: ready.map(({ image }) => image.url),
    ...(imageAlts.some((alt) => alt !== null) && { imageAlts }),
  };
}

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

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

/**
 * The file behind an image of a draft, by the image's id, for as long as this page has it. Not in the
 * draft: it cannot be stored, and an upload goes on when the composer closes.
 */
export const sources = new Map<string, { upload: Upload; preview: string }>();

/** Stops an image's upload if it goes on, and lets go of the file. */
export function dropSource(id: string): void {
  const source = sources.get(id);
  if (!source) return;
  sources.delete(id);
  source.upload.cancel();
  URL.revokeObjectURL(source.preview);
}
