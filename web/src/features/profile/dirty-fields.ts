/** The texts of a profile form; one is absent where it is not known what the server has. */
export type ProfileFields = Partial<Record<"displayName" | "bio" | "website", string>>;

/** The typed parts that were changed: another device may have changed the others meanwhile. */
export function getDirtyFields(initial: ProfileFields, current: ProfileFields): ProfileFields {
  const initialTexts = new Map(Object.entries(initial));
  return Object.fromEntries(
    Object.entries(current).filter(([part, text]) => text !== initialTexts.get(part)),
  );
}

/** The initial parts without those that were sent: they may have arrived or not. */
export function omitFields(initial: ProfileFields, sent: ProfileFields): ProfileFields {
  return Object.fromEntries(Object.entries(initial).filter(([part]) => !Object.hasOwn(sent, part)));
}
