/** What a form of the profile holds; a part of which it is not known what the server has is absent. */
export type ProfileParts = Partial<Record<"displayName" | "bio" | "website", string>>;

/**
 * The parts that are no longer as the form began: another device may have changed the others since,
 * and what is sent replaces what they are now.
 */
export function changedParts(began: ProfileParts, typed: ProfileParts): ProfileParts {
  return partsWhere(typed, (part, text) => text !== began[part]);
}

/** What is still known of where the form began, once parts were sent: they may have arrived or not. */
export function beganBut(began: ProfileParts, sent: ProfileParts): ProfileParts {
  return partsWhere(began, (part) => sent[part] === undefined);
}

function partsWhere(
  parts: ProfileParts,
  holds: (part: keyof ProfileParts, text: string) => boolean,
): ProfileParts {
  const entries = Object.entries(parts) as [keyof ProfileParts, string][];
  return Object.fromEntries(entries.filter(([part, text]) => holds(part, text)));
}
