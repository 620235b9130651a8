import { useQuery } from "@tanstack/react-query";
import { api, bodyOf } from "./client";
import { keys } from "./keys";
import { queryClient } from "./query-client";
import type { User } from "./types";

/** A member of the network, by their present handle or an earlier one. */
export function useUser(username: string) {
  return useQuery({
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
