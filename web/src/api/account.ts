import { api, apiQueryOptions } from "./client";
import { queryKeys } from "./query-keys";

export const accountQuery = apiQueryOptions(queryKeys.account, () => api.GET("/api/account"));

/** Made stale by each change of the account: the member's own record repeats a part of it. */
export const accountQueryKeys = [queryKeys.account, queryKeys.currentUser];
