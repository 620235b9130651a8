import type { Upload } from "@/api/upload/upload";
import { draftsForgotten } from "@/lib/drafts";

/** The file behind an image of a draft, for as long as this page has it. */
export interface Source {
  upload: Upload;
  /** The file itself, to be shown before the server has it. */
  preview: string;
  name: string;
}

// Not in the draft: none of it can be stored, and an upload goes on when the composer closes.
const sources = new Map<string, Source>();
// But not when its member has left: what follows it would be asked for by whoever is here by then.
draftsForgotten.subscribe(() => {
  for (const id of sources.keys()) dropSource(id);
});

/** The file behind an image; nothing after a reload. */
export function sourceOf(id: string): Source | undefined {
  return sources.get(id);
}

/** Notes the file behind an image. */
export function keepSource(id: string, source: Source): void {
  sources.set(id, source);
}

/** Stops an image's upload if it goes on, and lets go of the file. */
export function dropSource(id: string): void {
  const source = sources.get(id);
  if (!source) return;
  sources.delete(id);
  source.upload.cancel();
  URL.revokeObjectURL(source.preview);
}
