import type { Upload } from "@/api/upload/upload";

/**
 * The file behind an image of a draft, by the image's id, for as long as this page has it. Not in the
 * draft: it cannot be stored, and an upload goes on when the composer closes.
 */
export const localFiles = new Map<string, { upload: Upload; preview: string }>();

/** Stops an image's upload if it goes on, and lets go of the file. */
export function releaseLocalFile(id: string): void {
  const source = localFiles.get(id);
  if (!source) return;
  localFiles.delete(id);
  source.upload.cancel();
  URL.revokeObjectURL(source.preview);
}
