import { type QueryFunctionContext, type QueryKey, queryOptions } from "@tanstack/react-query";
import createClient from "openapi-fetch";
import { fetchOrUsePreloaded } from "./preloaded-requests";
import { ApiError } from "./api-error";
import type { paths } from "./schema.gen";

/** The only way to the server. A response that is not ok throws an `ApiError`. */
export const api = createClient<paths>({
  credentials: "include",
  fetch: fetchOrUsePreloaded,
});

api.use({
  async onResponse({ response }) {
    if (!response.ok) throw await ApiError.from(response);
  },
});

export interface ApiResponse<T> {
  data?: T;
  response: Response;
}

export function unwrap<T>({ data, response }: ApiResponse<T>): T {
  if (data === undefined) throw new ApiError(response.status, "Empty answer", "");
  return data;
}

export function apiQueryOptions<T>(
  queryKey: QueryKey,
  request: (context: QueryFunctionContext) => Promise<ApiResponse<T>>,
) {
  return queryOptions({ queryKey, queryFn: async (context) => unwrap(await request(context)) });
}
