import { api, bodyOf } from "./client";
import type { PostImage } from "./types";

/** Where a file may be sent for ten minutes. */
export interface UploadAddress {
  url: string;
  /** What the request that sends the file must carry. */
  headers: Readonly<Record<string, string>>;
  /** What other calls know the upload by. */
  name: string;
}

/** Asks for an address for one file of this size and type. */
export async function requestUpload(file: { size: number; type: string }): Promise<UploadAddress> {
  const body = { size: file.size, type: file.type };
  const { uploadURL, headers } = bodyOf(await api.POST("/api/objects/upload", { body }));
  return { url: uploadURL, headers, name: uploadName(uploadURL) };
}

/** The last part of an upload's address, without its query. */
export function uploadName(address: string): string {
  return new URL(address).pathname.split("/").at(-1) ?? "";
}

/** Makes the image of a file that was sent, so that posting it is quick and a bad file is told now. */
export async function prepareUpload(name: string): Promise<PostImage> {
  const params = { path: { id: name } };
  return bodyOf(await api.POST("/api/objects/{id}/prepare", { params })).image;
}

/** Gives an upload back that nothing will show. The server forgets it by itself after a day. */
export async function cancelUpload(name: string): Promise<void> {
  const params = { path: { id: name } };
  await api.POST("/api/objects/{id}/cancel", { params }).catch(() => undefined);
}
