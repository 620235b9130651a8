import { api, bodyQuery } from "./client";
import { keys } from "./keys";

export const accountQuery = bodyQuery(keys.account, () => api.GET("/api/account"));

/** Made stale by each change of the account: the member's own record repeats a part of it. */
export const accountKeys = [keys.account, keys.me];
