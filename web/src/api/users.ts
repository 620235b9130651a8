import { useQuery } from "@tanstack/react-query";
import { api, bodyOf } from "./client";
import { keys } from "./keys";

/** A member of the network, by handle. */
export function useUser(username: string) {
  return useQuery({
    queryKey: keys.user(username),
    queryFn: async () =>
      bodyOf(await api.GET("/api/users/{username}", { params: { path: { username } } })),
  });
}
