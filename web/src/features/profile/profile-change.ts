/** The texts of a profile form; one is absent where it is not known what the server has. */
export type ProfileParts = Partial<Record<"displayName" | "bio" | "website", string>>;

/** The typed parts that were changed: another device may have changed the others meanwhile. */
export function changedParts(initial: ProfileParts, typed: ProfileParts): ProfileParts {
  const known = new Map(Object.entries(initial));
  return Object.fromEntries(
    Object.entries(typed).filter(([part, text]) => text !== known.get(part)),
  );
}

/** The initial parts without those that were sent: they may have arrived or not. */
export function withoutParts(initial: ProfileParts, sent: ProfileParts): ProfileParts {
  return Object.fromEntries(Object.entries(initial).filter(([part]) => !Object.hasOwn(sent, part)));
}
