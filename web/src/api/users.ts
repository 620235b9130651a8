import { type QueryKey, queryOptions } from "@tanstack/react-query";
import { type ApiResponse, api, unwrap, apiQueryOptions } from "./client";
import { type FollowDirection, queryKeys } from "./query-keys";
import type { ListParams, ListPath } from "./list-endpoints";
import { paginatedQuery } from "./paginated-query";
import { queryClient } from "./query-client";
import type { FollowStatus, User } from "./types";

const PAGE_SIZE = 20;
const SUGGESTION_LIMIT = 10;

/**
 * Caches whether the viewer follows each user, so that no row requests it. Keeps cached values newer than
 * `requestedAt`, in milliseconds since 1970.
 */
export function seedFollowStatus(users: readonly User[], requestedAt: number): void {
  for (const { id, isFollowing } of users) {
    const cached = queryClient.getQueryState(queryKeys.followStatus(id));
    if (cached && cached.dataUpdatedAt >= requestedAt) continue;
    queryClient.setQueryData<FollowStatus>(queryKeys.followStatus(id), { isFollowing });
  }
}

/** Requests members, and caches whether the viewer follows them. */
async function withFollowStatus<Row extends User>(request: Promise<ApiResponse<Row[]>>) {
  const requestedAt = Date.now();
  const response = await request;
  seedFollowStatus(unwrap(response), requestedAt);
  return response;
}

/** A list of members, page by page. */
export function userListQuery<Path extends ListPath<User>>(
  queryKey: QueryKey,
  path: Path,
  options: ListParams<Path> & { refetchFirstPageOnly?: boolean },
) {
  return paginatedQuery<Path, User>(path, {
    ...options,
    queryKey,
    pageSize: PAGE_SIZE,
    mapRows(rows, requestedAt) {
      const users = rows as User[];
      seedFollowStatus(users, requestedAt);
      return users;
    },
  });
}

/** The followers of a member, or the members they follow, newest first. */
export const followListQuery = (username: string, direction: FollowDirection) =>
  userListQuery(queryKeys.followList(username, direction), `/api/users/{username}/${direction}`, {
    path: { username },
    refetchFirstPageOnly: true,
  });

/** A member, by their present username or an earlier one. */
export const userQuery = (username: string) =>
  queryOptions({
    queryKey: queryKeys.user(username),
    queryFn: async () => {
      const params = { path: { username } };
      const user = unwrap(await api.GET("/api/users/{username}", { params }));
      // Found by an earlier username: cache it under the current one, too.
      if (user.username !== username.toLowerCase()) {
        queryClient.setQueryData<User>(queryKeys.user(user.username), user);
      }
      return user;
    },
  });

export const suggestionsQuery = apiQueryOptions(queryKeys.suggestions, () =>
  withFollowStatus(
    api.GET("/api/users/suggested", { params: { query: { limit: SUGGESTION_LIMIT } } }),
  ),
);

/** Fetches the suggestions on screen again if something made them stale. */
export function refetchStaleSuggestions(): void {
  const staleQuery = { queryKey: queryKeys.suggestions, type: "active", stale: true } as const;
  void queryClient.refetchQueries(staleQuery, { cancelRefetch: false });
}

/** Members whose name contains a term, which must not be blank. */
export const userSearchQuery = (term: string) => ({
  ...apiQueryOptions(queryKeys.search(term), ({ signal }) =>
    withFollowStatus(
      api.GET("/api/users/search", { params: { query: { q: term, limit: PAGE_SIZE } }, signal }),
    ),
  ),
  // Results change, because members join and change their names.
  staleTime: 30_000,
});
