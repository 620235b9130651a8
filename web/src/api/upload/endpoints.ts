import { api, unwrap } from "@/api/client";
import type { PostImage } from "@/api/types";

/** An upload URL, which is valid for ten minutes. */
export interface UploadTarget {
  url: string;
  /** The headers of the request that sends the file. */
  headers: Readonly<Record<string, string>>;
  /** The id of the upload in other requests. */
  id: string;
}

/** Requests a URL for one file of this size and type. */
export async function requestUpload(body: { size: number; type: string }): Promise<UploadTarget> {
  const { uploadURL, headers } = unwrap(await api.POST("/api/objects/upload", { body }));
  return { url: uploadURL, headers, id: new URL(uploadURL).pathname.split("/").at(-1) ?? "" };
}

/** Makes the image of a file that was sent, so that posting it is quick and a bad file is known now. */
export async function processUpload(id: string): Promise<PostImage> {
  return unwrap(await api.POST("/api/objects/{id}/prepare", { params: { path: { id } } })).image;
}

/** Returns an upload that nothing will show. The server deletes it by itself after a day. */
export async function cancelUpload(id: string): Promise<void> {
  const params = { path: { id } };
  await api.POST("/api/objects/{id}/cancel", { params }).catch(() => undefined);
}
