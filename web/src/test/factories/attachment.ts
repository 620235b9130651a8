import type { DraftAttachment } from "@/features/posts/draft-attachments";

/** An uploaded image; its URL contains the id. */
export function makeAttachment(id: string, alt = ""): DraftAttachment {
  const url = `/images/${id}/800.webp`;
  const image = { url, width: 800, height: 600, alt: "", thumbhash: "", srcset: `${url} 800w` };
  return { id, alt, ready: { upload: `upload-${id}`, image } };
}
