import { QueryClientProvider } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { Router } from "wouter";
import { queryKeys } from "@/api/query-keys";
import { queryClient } from "@/api/query-client";
import type { Me } from "@/api/types";
import { AppShell } from "@/app/app-shell";
import { Splash } from "@/app/splash";
import Home from "@/screens/home";
import { PostListSkeleton } from "@/ui/skeleton";

/** A member of whom nothing is known yet. */
const unknown = {
  id: "",
  username: "",
  displayName: "",
  role: "member",
  invitesAvailable: 0,
  unreadNotificationCount: 0,
  usernameIsProvisional: false,
  acceptedRulesVersion: 0,
} as Me;

/** The pages that `start.js` chooses from, by the name it calls them. */
const pages: Readonly<Record<string, ReactNode>> = {
  home: (
    <AppShell>
      <Home />
    </AppShell>
  ),
  member: (
    <Router ssrPath="/-">
      <AppShell>
        <PostListSkeleton label="Loading..." />
      </AppShell>
    </Router>
  ),
  other: <Splash />,
};

/** Renders the pages as they are before any answer of the server, by the global `matchMedia`. */
export function renderPages(): Record<string, string> {
  queryClient.setQueryData(queryKeys.currentUser, unknown);
  const entries = Object.entries(pages).map(([name, shown]) => {
    const page = (
      <QueryClientProvider client={queryClient}>
        <Router ssrPath="/">{shown}</Router>
      </QueryClientProvider>
    );
    return [name, renderToStaticMarkup(page)];
  });
  return Object.fromEntries(entries) as Record<string, string>;
}
