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

/** The member before any response of the server. */
const placeholderMember = {
  id: "",
  username: "",
  displayName: "",
  role: "member",
  invitesAvailable: 0,
  unreadNotificationCount: 0,
  usernameIsProvisional: false,
  acceptedRulesVersion: 0,
} as Me;

/** The pages by the value of `data-first`; `other` is shown without one. */
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

/** Renders the pages as they are before any response of the server, at the width of the global `matchMedia`. */
export function renderPages(): Record<string, string> {
  queryClient.setQueryData(queryKeys.currentUser, placeholderMember);
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
