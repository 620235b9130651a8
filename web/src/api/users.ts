import { type QueryKey, queryOptions } from "@tanstack/react-query";
import { type Answer, api, bodyOf, bodyQuery } from "./client";
import { type FollowSide, keys } from "./keys";
import { firstPageAgain, paged, type RequestPage } from "./lists";
import { queryClient } from "./query-client";
import type { FollowStatus, User } from "./types";

const PAGE_SIZE = 20;
const SUGGESTIONS = 10;

/** Notes whom I follow, so that no row has to ask; what is known since `askedAt` (milliseconds) is newer. */
export function noteFollows(members: readonly User[], askedAt: number): void {
  for (const { id, isFollowing } of members) {
    const known = queryClient.getQueryState(keys.follow(id));
    if (known && known.dataUpdatedAt >= askedAt) continue;
    queryClient.setQueryData<FollowStatus>(keys.follow(id), { isFollowing });
  }
}

/** Requests members and notes what the response says of follows. */
async function notingFollows<Row extends User>(request: Promise<Answer<Row[]>>) {
  const askedAt = Date.now();
  const answer = await request;
  noteFollows(bodyOf(answer), askedAt);
  return answer;
}

/** A list of members, page by page. */
export function memberList(queryKey: QueryKey, request: RequestPage<User>) {
  return paged<User>(queryKey, PAGE_SIZE, (query, start) => notingFollows(request(query, start)));
}

/** The followers of a member, or the members they follow, newest first. */
export function followList(username: string, side: FollowSide) {
  const list = memberList(keys.followList(username, side), (query) =>
    api.GET(`/api/users/{username}/${side}`, { params: { path: { username }, query } }),
  );
  return { ...firstPageAgain, ...list };
}

/** A member, by their present username or an earlier one. */
export const userQuery = (username: string) =>
  queryOptions({
    queryKey: keys.user(username),
    queryFn: async () => {
      const params = { path: { username } };
      const user = bodyOf(await api.GET("/api/users/{username}", { params }));
      // Found by an earlier username: the page of the present one need not ask again.
      if (user.username !== username.toLowerCase()) {
        queryClient.setQueryData<User>(keys.user(user.username), user);
      }
      return user;
    },
  });

export const suggestionsQuery = bodyQuery(keys.suggestions, () =>
  notingFollows(api.GET("/api/users/suggested", { params: { query: { limit: SUGGESTIONS } } })),
);

/** Fetches the suggestions on screen again if something made them stale. */
export function renewSuggestions(): void {
  const old = { queryKey: keys.suggestions, type: "active", stale: true } as const;
  void queryClient.refetchQueries(old, { cancelRefetch: false });
}

/** Members whose name contains a term, which must not be blank. */
export const searchQuery = (term: string) => ({
  ...bodyQuery(keys.search(term), ({ signal }) =>
    notingFollows(
      api.GET("/api/users/search", { params: { query: { q: term, limit: PAGE_SIZE } }, signal }),
    ),
  ),
  // Typing a term again is asking again: people join, and change their names.
  staleTime: 30_000,
});
