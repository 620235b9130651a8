const ACCENTED: Readonly<Record<string, string>> = Object.fromEntries(
  [..."aeioucnsyzAEIOUCNSYZ"].map((letter, index) => [
    letter,
    [..."áéíóúçñšýžÁÉÍÓÚÇÑŠÝŽ"][index] ?? "",
  ]),
);

/**
 * An English text with accents and a third longer, for screenshots: a text without accents is not
 * translated, and a layout that breaks would break in German. Tags such as `<0>` stay.
 */
export function pseudoLocalize(text: string): string {
  if (!/[a-z]/i.test(text)) return text;
  const accented = text.replaceAll(/<[^>]*>|[a-z]/gi, (match) => ACCENTED[match] ?? match);
  return `${accented}${"·".repeat(Math.ceil(text.trim().length / 3))}`;
}
