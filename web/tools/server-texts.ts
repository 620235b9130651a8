import type { ExtractorType } from "@lingui/conf";

/** Codes of errors that the web app cannot cause, and of a suggestion's reason, which contains a name. */
const skippedCodes = new Set([
  "bad_address",
  "bad_idempotency_key",
  "bad_json",
  "bad_query",
  "bad_signature",
  "body_too_large",
  "body_unreadable",
  "cross_site",
  "followed_by",
  "not_json",
]);

interface ErrorExample {
  code?: unknown;
  message?: unknown;
  fields?: Readonly<Record<string, unknown>>;
}

/** Finds the server's sentences in the error examples of an OpenAPI document. */
function findSentences(node: unknown): unknown[] {
  if (typeof node !== "object" || node === null) return [];
  const { code, message, fields = {} }: ErrorExample = node;
  const isError =
    typeof code === "string" && typeof message === "string" && !skippedCodes.has(code);
  const own = isError ? [message, ...Object.values(fields)] : [];
  return [...own, ...Object.values(node).flatMap(findSentences)];
}

/** Extracts the sentences of the API's errors, with the sentence itself as the message's id. */
export const serverTextExtractor: ExtractorType = {
  match: (filename) => filename.endsWith("openapi.json"),
  extract(filename, code, onMessageExtracted) {
    const sentences = findSentences(JSON.parse(code)).filter((it) => typeof it === "string");
    for (const id of new Set(sentences)) {
      onMessageExtracted({ id, message: id, origin: [filename, 0] });
    }
  },
};
