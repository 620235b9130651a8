import { t } from "@lingui/core/macro";
import { type ComponentProps, type MouseEvent, useCallback } from "react";
import { Link, useLocation } from "wouter";
import { handleMutationError } from "@/api/handle-mutation-error";
import { refetchActive } from "@/api/paginated-query";
import { useCurrentUser } from "@/api/auth";
import type { Me } from "@/api/types";
import { focusMain } from "@/lib/dom/focus";
import { closeOverlays } from "@/lib/navigation/overlay-history";
import { createStore, useStore } from "@/lib/state/store";
import { prefersReducedMotion } from "@/lib/hooks/use-media-query";
import { navItems } from "./nav-items";

/** The page that was fetched again last, or is now. */
const pageRefresh = createStore<{ path: string; isDone: boolean } | null>(null);

type Props = Omit<ComponentProps<"a">, "href" | "onClick"> & { href: string; className?: string };

/** A link to a page of the navigation. On that page it leads to the top, and at the top it refreshes. */
export function RefreshableLink({ href, ...rest }: Props) {
  const currentUser = useCurrentUser();
  function onClick(event: MouseEvent) {
    if (scrollToTopOrRefresh(href, currentUser)) event.preventDefault();
  }
  return <Link href={href} onClick={onClick} {...rest} />;
}

/** Goes to a page of the navigation, as its link does. */
export function useNavigateOrRefresh(): (href: string) => void {
  const [, navigate] = useLocation();
  const currentUser = useCurrentUser();
  return useCallback(
    (href) => scrollToTopOrRefresh(href, currentUser) || navigate(href),
    [currentUser, navigate],
  );
}

/** Whether a page is being fetched again because its link was followed there. */
export function useIsRefreshing(href: string): boolean {
  const lastRefresh = useStore(pageRefresh);
  return lastRefresh?.path === href && !lastRefresh.isDone;
}

/** Says to screen readers that the page was fetched again. */
export function RefreshStatus() {
  const [path] = useLocation();
  const lastRefresh = useStore(pageRefresh);
  const isDone = lastRefresh?.path === path && lastRefresh.isDone;
  return (
    <span role="status" className="sr-only">
      {isDone && t`Page updated`}
    </span>
  );
}

/** Leads to the top of the page that the member is on, or refreshes it; false on any other page. */
function scrollToTopOrRefresh(href: string, currentUser: Me): boolean {
  if (location.pathname.toLowerCase() !== href.toLowerCase()) return false;
  closeOverlays();
  // At the top, a focused element of the content would be out of sight.
  if (document.querySelector("main")?.contains(document.activeElement)) focusMain();
  // A search is a page of its own, which the link leaves.
  if (new URLSearchParams(location.search).has("q")) {
    scrollTo(0, 0);
    return false;
  }
  if (scrollY > 0) {
    scrollTo({ top: 0, behavior: prefersReducedMotion() ? "instant" : "smooth" });
  } else {
    void refreshPage(href, currentUser);
  }
  return true;
}

async function refreshPage(path: string, currentUser: Me): Promise<void> {
  const navItem = navItems.find((it) => it.getHref(currentUser) === path);
  if (!navItem || pageRefresh.get()?.isDone === false) return;
  pageRefresh.set({ path, isDone: false });
  try {
    await refetchActive(navItem.getQueryKeys(currentUser));
    pageRefresh.set({ path, isDone: true });
  } catch (error) {
    pageRefresh.set(null);
    handleMutationError(error, t`Failed to refresh the page. Please try again.`);
  }
}
