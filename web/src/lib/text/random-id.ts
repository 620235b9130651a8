/** A new unguessable key. Unlike `crypto.randomUUID` it also works on plain http beyond this machine. */
export function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
