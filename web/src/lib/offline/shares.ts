import { SHARES_CACHE } from "./worker-protocol";

/** Content that another app shared with the installed app. */
export interface Share {
  text: string;
  files: readonly File[];
}

/** Takes what was shared since the last time out of the storage, oldest first. Another tab gets none of it. */
export async function takeShares(): Promise<readonly Share[]> {
  const shares: Share[] = [];
  try {
    // Opening the cache would create it.
    if (!(await caches.has(SHARES_CACHE))) return [];
    const cache = await caches.open(SHARES_CACHE);
    for (const key of await cache.keys()) {
      const form = await (await cache.match(key))?.formData().catch(() => undefined);
      if ((await cache.delete(key)) && form) shares.push(parseShare(form));
    }
  } catch {
    // Without https there is no such storage, and it may be switched off.
  }
  return shares;
}

/** Reads the fields that the manifest names. Apps often repeat one in another, such as a link in the text. */
export function parseShare(form: FormData): Share {
  const values = ["title", "text", "url"]
    .map((name) => form.get(name))
    .map((value) => (typeof value === "string" ? value.trim() : ""));
  const lines = values.filter(
    (value, at) =>
      !values.some((other, otherAt) => (other === value ? otherAt < at : other.includes(value))),
  );
  const files = form.getAll("images").filter((value) => value instanceof File);
  return { text: lines.filter((line) => line !== "").join("\n"), files };
}
