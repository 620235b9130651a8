import { formatNumber } from "@/lib/text/format-number";
import { getIntlLocale, hasPseudoLocales } from "./locale";
import { perLocale } from "./per-locale";

type Choices = Readonly<Record<string, string | readonly Token[]>>;

/** A part of a compiled message: text, the name of a value, or a choice by a value. */
type Token =
  | string
  | readonly [name: string]
  | readonly [name: string, type: string, choices: Choices];

export type CompiledMessage = string | readonly Token[];

/** A message as Lingui's macros describe it. Its English text is in the code, so that English needs no catalogue. */
export interface MessageDescriptor {
  id: string;
  message?: CompiledMessage | undefined;
  values?: Readonly<Record<string, unknown>> | undefined;
}

/** A part of a formatted message: text of the message, or a value, which may contain anything. */
export type Part = string | { value: unknown };

/** The translations of the active language, by message id; none in English. */
const translations = new Map<string, CompiledMessage>();

/** How a build for tests shows each text of a message; null for every real language. */
let pseudoLocalize: ((text: string) => string) | null = null;

/** Removes all translations, and sets the function that accents English texts in a build for tests. */
export function clearTranslations(pseudo: typeof pseudoLocalize): void {
  translations.clear();
  pseudoLocalize = pseudo;
}

/** Adds translations into the active language. */
export function addTranslations(messages: Readonly<Record<string, CompiledMessage>>): void {
  for (const [id, message] of Object.entries(messages)) translations.set(id, message);
}

/** The message in the active language; in English if it has no translation. */
export function formatParts({ id, message, values = {} }: MessageDescriptor): Part[] {
  const parts = resolve(translations.get(id) ?? message ?? id, values);
  if (!hasPseudoLocales) return parts;
  return parts.map((part) => (typeof part === "string" ? (pseudoLocalize?.(part) ?? part) : part));
}

/** The message as a plain text. */
export function formatMessage(descriptor: MessageDescriptor): string {
  return formatParts(descriptor)
    .map((part) => (typeof part === "string" ? part : String(part.value ?? "")))
    .join("");
}

function resolve(
  message: CompiledMessage,
  values: Readonly<Record<string, unknown>>,
  count?: number,
): Part[] {
  if (typeof message === "string") return [message];
  return message.flatMap((token): Part[] => {
    if (token === "#" && count !== undefined) return [{ value: formatNumber(count) }];
    if (typeof token === "string") return [token];
    const [name, type, choices] = token;
    const value = values[name];
    if (!choices) return [{ value: type === "number" ? formatNumber(Number(value)) : value }];
    if (type === "select") return resolve(choices[String(value)] ?? choices["other"] ?? "", values);
    const chosen = choices[`=${value}`] ?? choices[String(value)];
    return resolve(
      chosen ?? choices[getPluralCategory(Number(value))] ?? choices["other"] ?? "",
      values,
      Number(value),
    );
  });
}

const pluralRules = perLocale((locale) => new Intl.PluralRules(locale));

/** English is decided here, without `Intl`: its first use costs a slow phone 60 ms. */
function getPluralCategory(count: number): string {
  if (getIntlLocale() === "en") return count === 1 ? "one" : "other";
  return pluralRules().select(count);
}
