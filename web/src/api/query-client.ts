import { QueryCache, QueryClient } from "@tanstack/react-query";
import { hasStatus } from "./error";
import { logInAgain } from "./failure";
import { keys } from "./keys";

const HALF_AN_HOUR = 30 * 60_000;

/**
 * The cache of everything the server said. Nothing is retried, refetched on focus or grown stale
 * by time: data changes when the member does something, and whoever does it says what to refresh.
 * Whatever first learns that a session is over leads to the login; where there may never have been
 * one, the question who is logged in decides.
 */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError(error) {
      if (hasStatus(error, 401) && queryClient.getQueryData(keys.me)) logInAgain();
    },
  }),
  defaultOptions: {
    queries: {
      retry: false,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: HALF_AN_HOUR,
      // Without a network a call fails at once and says so, instead of waiting for one.
      networkMode: "always",
    },
    mutations: { retry: false, networkMode: "always" },
  },
});

// Lists hold ids only, so a post must outlive every list that may name it.
queryClient.setQueryDefaults(keys.posts, { gcTime: Number.POSITIVE_INFINITY });
