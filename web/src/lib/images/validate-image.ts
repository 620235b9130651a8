import { t } from "@lingui/core/macro";
import { getSiteName } from "@/lib/site";
/** Most bytes of an image that the server takes. */
export const MAX_IMAGE_BYTES = 10_485_760;
/** Most images of a post. */
export const MAX_IMAGES = 4;
/** The media types that are taken, as a file field wants them. */
export const ACCEPTED_IMAGE_TYPES = "image/jpeg,image/png,image/webp,image/gif,image/avif";

const HEADER_BYTES = 16;

/** The result for a file: its type, or the error to show. */
export type ImageValidation = { type: string } | { error: string };

/** Looks at a file before it is sent. What it is called or said to be counts for nothing. */
export async function validateImage(file: File): Promise<ImageValidation> {
  const name = truncateFileName(file.name);
  if (file.size > MAX_IMAGE_BYTES) return { error: t`${name} is larger than 10 MB.` };
  try {
    const head = new Uint8Array(await file.slice(0, HEADER_BYTES).arrayBuffer());
    if (head.length === 0) return { error: t`${name} is empty.` };
    const type = sniffImageType(head);
    if (type) return { type };
  } catch {
    // A folder, or a file that is gone.
    return { error: t`${name} cannot be read.` };
  }
  return {
    error: t`${name} is not an image ${{ siteName: getSiteName() }} can read. Use JPEG, PNG, WebP, GIF or AVIF.`,
  };
}

/** The image type by a file's first bytes. */
export function sniffImageType(head: Uint8Array): string | null {
  const text = String.fromCharCode(...head.subarray(0, HEADER_BYTES));
  if (text.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (text.startsWith("\x89PNG\r\n\x1a\n")) return "image/png";
  if (text.startsWith("RIFF") && text.startsWith("WEBP", 8)) return "image/webp";
  if (/^GIF8[79]a/.test(text)) return "image/gif";
  // AVIF may name its brand in a later field; the server distinguishes other formats with the same box.
  return /^[^]{4}ftyp(?:avif|mif1|avis)/.test(text) ? "image/avif" : null;
}

const MAX_NAME_LENGTH = 40;

function truncateFileName(name: string): string {
  if (name === "") return t`The file`;
  const characters = [...name];
  if (characters.length <= MAX_NAME_LENGTH) return name;
  return `${characters.slice(0, MAX_NAME_LENGTH - 1).join("")}…`;
}
