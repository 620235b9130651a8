/** Fewest characters a username may have. */
export const MIN_USERNAME_LENGTH = 3;

/** What the server makes of a username as it is typed: lower case, without the @ before it. */
export function normalizeUsername(typed: string): string {
  return typed.trim().replace(/^@+/, "").toLowerCase();
}
