import { QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, StrictMode } from "react";
import { expect } from "vitest";
import { page } from "vitest/browser";
import { render } from "vitest-browser-react";
import { Router } from "wouter";
import { memoryLocation } from "wouter/memory-location";
import { queryKeys } from "@/api/query-keys";
import { queryClient } from "@/api/query-client";
import { navigateFromPage } from "@/lib/navigation/overlay-history";
import { setHintedUserId } from "@/lib/storage/session-hint";
import { Toaster } from "@/ui/toaster";
import { network } from "./mock-api/network";

/**
 * Renders a component within the app's providers: the query cache, which contains the mocked viewer,
 * a router, and toasts. Returns the screen, and the paths that the component has navigated to.
 */
export async function renderInApp(component: ReactNode, path = "/") {
  const { hook, searchHook, history } = memoryLocation({ path, record: true });
  queryClient.setQueryData(queryKeys.currentUser, network.viewer && { ...network.viewer });
  setHintedUserId(network.viewer?.id ?? null);
  const screen = await render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <Router hook={hook} searchHook={searchHook} aroundNav={navigateFromPage}>
          {component}
          <Toaster />
        </Router>
      </QueryClientProvider>
    </StrictMode>,
  );
  return { ...screen, history };
}

/** The texts of the toasts on screen, which an open dialog hides from queries by role. */
export function getToasts(): (string | null)[] {
  const region = { name: /^Notifications \(/, includeHidden: true };
  const toasts = page.getByRole("region", region).getByRole("listitem", { includeHidden: true });
  return toasts.elements().map(({ textContent }) => textContent);
}

/** Expects one toast with exactly this title and, below it, this text. */
export async function expectToast(title: string, text = ""): Promise<void> {
  await expect.poll(getToasts).toEqual([title + text]);
}
