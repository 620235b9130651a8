import { queryOptions } from "@tanstack/react-query";
import { api, bodyOf, bodyQuery } from "./client";
import { notingFollows } from "./follows";
import { keys } from "./keys";
import { queryClient } from "./query-client";
import type { User } from "./types";

const SUGGESTIONS = 10;
const FOUND = 20;
const HALF_A_MINUTE = 30_000;

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
      api.GET("/api/users/search", { params: { query: { q: term, limit: FOUND } }, signal }),
    ),
  ),
  // Typing a term again is asking again: people join, and change their names.
  staleTime: HALF_A_MINUTE,
});
