import { queryOptions } from "@tanstack/react-query";
import { api, bodyOf } from "./client";
import { noteFollows } from "./follows";
import { keys } from "./keys";
import { queryClient } from "./query-client";
import type { User } from "./types";

const SUGGESTIONS = 10;
const FOUND = 20;
const HALF_A_MINUTE = 30_000;

/** A member of the network, by their present handle or an earlier one. */
export function userQuery(username: string) {
  return queryOptions({
    queryKey: keys.user(username),
    queryFn: async () => {
      const params = { path: { username } };
      const user = bodyOf(await api.GET("/api/users/{username}", { params }));
      // Found by an earlier handle: the page of the present one need not ask again.
      if (user.username !== username.toLowerCase()) {
        queryClient.setQueryData<User>(keys.user(user.username), user);
      }
      return user;
    },
  });
}

/** Members to follow, each with the reason. */
export const suggestionsQuery = queryOptions({
  queryKey: keys.suggestions,
  queryFn: async () => {
    const askedAt = Date.now();
    const params = { query: { limit: SUGGESTIONS } };
    const members = bodyOf(await api.GET("/api/users/suggested", { params }));
    noteFollows(members, askedAt);
    return members;
  },
});

/** Fetches the suggestions on screen anew if something made them old. */
export function renewSuggestions(): void {
  const old = { queryKey: keys.suggestions, type: "active", stale: true } as const;
  void queryClient.refetchQueries(old, { cancelRefetch: false });
}

/** Members whose name holds a term, which must not be blank. */
export function searchQuery(term: string) {
  return queryOptions({
    queryKey: keys.search(term),
    queryFn: async ({ signal }) => {
      const askedAt = Date.now();
      const params = { query: { q: term, limit: FOUND } };
      const members = bodyOf(await api.GET("/api/users/search", { params, signal }));
      noteFollows(members, askedAt);
      return members;
    },
    // Typing a term again is asking again: people join, and change their names.
    staleTime: HALF_A_MINUTE,
  });
}
