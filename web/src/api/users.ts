import { queryOptions } from "@tanstack/react-query";
import { api, bodyOf } from "./client";
import { noteFollows } from "./follows";
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

async function notingFollows<Row extends User>(
  request: Promise<{ data?: Row[]; response: Response }>,
): Promise<Row[]> {
  const askedAt = Date.now();
  const members = bodyOf(await request);
  noteFollows(members, askedAt);
  return members;
}

export const suggestionsQuery = queryOptions({
  queryKey: keys.suggestions,
  queryFn: () =>
    notingFollows(api.GET("/api/users/suggested", { params: { query: { limit: SUGGESTIONS } } })),
});

/** Fetches the suggestions on screen again if something made them stale. */
export function renewSuggestions(): void {
  const old = { queryKey: keys.suggestions, type: "active", stale: true } as const;
  void queryClient.refetchQueries(old, { cancelRefetch: false });
}

/** Members whose name contains a term, which must not be blank. */
export const searchQuery = (term: string) =>
  queryOptions({
    queryKey: keys.search(term),
    queryFn: ({ signal }) =>
      notingFollows(
        api.GET("/api/users/search", { params: { query: { q: term, limit: FOUND } }, signal }),
      ),
    // Typing a term again is asking again: people join, and change their names.
    staleTime: HALF_A_MINUTE,
  });
