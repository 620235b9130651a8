import {
  type InfiniteData,
  MutationCache,
  QueryCache,
  QueryClient,
  type QueryKey,
} from "@tanstack/react-query";
import { isHistoryReturn } from "@/lib/navigation/scroll-restoration";
import { type Toast, toast } from "@/lib/state/toast";
import { getFieldErrors, hasStatus } from "./api-error";
import { redirectToLogin, handleMutationError } from "./handle-mutation-error";
import { limitCache } from "./limit-cache";
import { queryKeys } from "./query-keys";

type ToastMessage = Omit<Toast, "id">;

declare module "@tanstack/react-query" {
  interface Register {
    mutationMeta: {
      /** Shown when it succeeded; null shows nothing. */
      success?: ToastMessage | ((data: never, variables: never) => ToastMessage | null);
      /** Shown when it fails and the server has no sentence; null shows nothing. */
      failure?: string | ((error: Error, variables: never) => string | null);
      /** Fields of the form that show the server's sentence themselves. */
      fields?: readonly string[];
      /**
       * Fetched again once it succeeds, or fails because the page was out of date (404, 409). Until what
       * is on screen has come the mutation is pending; its message does not wait for it.
       */
      invalidates?: readonly QueryKey[];
    };
  }
}

const GC_TIME_MS = 30 * 60_000;

/**
 * Nothing is retried, refetched on focus or stale by time: the `meta` of a mutation lists the queries that it
 * invalidates and its toasts. The first request that finds the session ended redirects to the login; if there
 * may never have been a session, `currentUserQuery` decides.
 */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: redirectIfSessionEnded }),
  mutationCache: new MutationCache({
    async onSuccess(data, variables, _onMutateResult, { meta = {} }) {
      const { success = null, invalidates = [] } = meta;
      const message =
        typeof success === "function" ? success(data as never, variables as never) : success;
      if (message) toast(message);
      await invalidate(...invalidates);
    },
    async onError(error, variables, _onMutateResult, { meta = {} }) {
      redirectIfSessionEnded(error);
      const { failure = null, fields = [], invalidates = [] } = meta;
      const text = typeof failure === "function" ? failure(error, variables as never) : failure;
      const isShown = fields.some((name) => getFieldErrors(error)[name] !== undefined);
      if (text !== null && !isShown) handleMutationError(error, text);
      if (hasStatus(error, 404, 409)) await invalidate(...invalidates);
    },
  }),
  defaultOptions: {
    queries: {
      retry: false,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
      refetchOnMount: ({ state }) => !isReturnToLoadedPages(state.data),
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: GC_TIME_MS,
      // Without a network a request fails immediately with a message instead of waiting for one.
      networkMode: "always",
    },
    mutations: { retry: false, networkMode: "always" },
  },
});

function redirectIfSessionEnded(error: Error): void {
  if (hasStatus(error, 401) && queryClient.getQueryData(queryKeys.currentUser)) redirectToLogin();
}

/** The number of loaded pages of a list; 0 for other data. */
export function countPages(data: unknown): number {
  const isList = typeof data === "object" && data !== null && "pages" in data;
  return isList ? (data as InfiniteData<unknown>).pages.length : 0;
}

/** Refetches active queries below these keys, and the others when they are next used. */
export async function invalidate(...keys: QueryKey[]): Promise<void> {
  await Promise.all(keys.map((queryKey) => queryClient.invalidateQueries({ queryKey })));
}

/** Refetches queries below these keys when they are next mounted, so that nothing on screen moves now. */
export function markStale(...keys: QueryKey[]): void {
  for (const queryKey of keys) {
    void queryClient.invalidateQueries({ queryKey, refetchType: "none" });
  }
}

/** Whether the reader comes back to a list of several pages, which stays as they left it. */
export function isReturnToLoadedPages(data: unknown): boolean {
  return isHistoryReturn() && countPages(data) > 1;
}

// Lists hold ids only, so a post must outlive every list that may name it: `limitCache` removes it.
queryClient.setQueryDefaults(queryKeys.posts, { gcTime: Number.POSITIVE_INFINITY });
limitCache(queryClient.getQueryCache());
