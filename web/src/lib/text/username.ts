/** Fewest characters a username may have. */
export const MIN_USERNAME_LENGTH = 3;

/** Normalizes a typed username as the server does: lower case, without a leading @. */
export function normalizeUsername(typed: string): string {
  return typed.trim().replace(/^@+/, "").toLowerCase();
}
