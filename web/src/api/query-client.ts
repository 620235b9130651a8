import { QueryClient } from "@tanstack/react-query";
import { keys } from "./keys";

const HALF_AN_HOUR = 30 * 60_000;

/**
 * The cache of everything the server said. Nothing is retried, refetched on focus or grown stale
 * by time: data changes when the member does something, and whoever does it says what to refresh.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      retry: false,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: HALF_AN_HOUR,
    },
    mutations: { retry: false },
  },
});

// Lists hold ids only, so a post must outlive every list that may name it.
queryClient.setQueryDefaults(keys.posts, { gcTime: Number.POSITIVE_INFINITY });
