import createClient from "openapi-fetch";
import { ApiError } from "./error";
import { callForMember } from "./member-calls";
import type { paths } from "./schema.gen";

/**
 * The only way to the server. Answers that are not ok throw an `ApiError`; what the member then
 * sees is up to whoever called.
 */
export const api = createClient<paths>({ credentials: "include", fetch: callForMember });

api.use({
  async onResponse({ response }) {
    if (!response.ok) throw await ApiError.from(response);
  },
});

/** The body of an answer that always has one. */
export function bodyOf<T>(answer: { data?: T; response: Response }): T {
  if (answer.data === undefined) throw new ApiError(answer.response.status, "Empty answer", "");
  return answer.data;
}
