import type { CreatePostInput, PostImage } from "@/api/types";
import { MAX_IMAGES } from "@/lib/images/validate-image";
import { normalizePost } from "@/lib/text/post-text";

export interface DraftAttachment {
  id: string;
  alt: string;
  ready: { upload: string; image: PostImage } | null;
}

export const MAX_ALT_LENGTH = 1_000;

export function getRemainingSlots(images: readonly DraftAttachment[]): number {
  return Math.max(0, MAX_IMAGES - images.length);
}

/** The images with one of them a place further left (-1) or right (1), if there is one. */
export function moveAttachment(
  images: readonly DraftAttachment[],
  id: string,
  step: -1 | 1,
): readonly DraftAttachment[] {
  const fromIndex = images.findIndex((image) => image.id === id);
  const moved = images[fromIndex];
  const other = images[fromIndex + step];
  return moved && other ? images.with(fromIndex, other).with(fromIndex + step, moved) : images;
}

export function updateAttachment(
  images: readonly DraftAttachment[],
  id: string,
  change: Partial<DraftAttachment>,
): readonly DraftAttachment[] {
  return images.map((image) => (image.id === id ? { ...image, ...change } : image));
}

/** The images in the request of a post; empty without images. */
export function toImageInput(images: readonly DraftAttachment[]): CreatePostInput {
  const ready = images.flatMap(({ alt, ready: uploaded }) =>
    uploaded ? [{ alt, ...uploaded }] : [],
  );
  if (ready.length === 0) return {};
  const imageAlts = ready.map(({ alt }) => normalizePost(alt) || null);
  return {
    imageUrls: ready.map(({ image }) => image.url),
    ...(imageAlts.some((alt) => alt !== null) && { imageAlts }),
  };
}

export function getUploaded(images: readonly DraftAttachment[]): readonly DraftAttachment[] {
  return images.filter(({ ready }) => ready !== null);
}

/** Makes images of whatever an earlier version may have stored, leaving out what is damaged. */
export function parseAttachments(value: unknown): readonly DraftAttachment[] {
  if (!Array.isArray(value)) return [];
  return value.filter(isUploaded).slice(0, MAX_IMAGES);
}

function isUploaded(value: unknown): value is DraftAttachment {
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
