import { type QueryFunctionContext, type QueryKey, queryOptions } from "@tanstack/react-query";
import createClient from "openapi-fetch";
import { call } from "./early";
import { ApiError } from "./error";
import type { paths } from "./schema.gen";

/** The only way to the server. A response that is not ok throws an `ApiError`. */
export const api = createClient<paths>({ credentials: "include", fetch: call });

api.use({
  async onResponse({ response }) {
    if (!response.ok) throw await ApiError.from(response);
  },
});

export interface Answer<T> {
  data?: T;
  response: Response;
}

export function bodyOf<T>({ data, response }: Answer<T>): T {
  if (data === undefined) throw new ApiError(response.status, "Empty answer", "");
  return data;
}

export function bodyQuery<T>(
  queryKey: QueryKey,
  request: (context: QueryFunctionContext) => Promise<Answer<T>>,
) {
  return queryOptions({ queryKey, queryFn: async (context) => bodyOf(await request(context)) });
}
