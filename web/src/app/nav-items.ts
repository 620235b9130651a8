import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import type { QueryKey } from "@tanstack/react-query";
import { Bell, Compass, House, type LucideIcon, Ticket, UserRound } from "lucide-react";
import { queryKeys } from "@/api/query-keys";
import type { Me } from "@/api/types";

export interface NavItem {
  label: MessageDescriptor;
  icon: LucideIcon;
  getHref: (currentUser: Me) => string;
  /** The queries that the link refetches on its own page. */
  getQueryKeys: (currentUser: Me) => readonly QueryKey[];
  getUnreadCount?: (currentUser: Me) => number;
  /** Whether small screens show it in their menu only, not in the bottom bar. */
  isMenuOnly?: boolean;
}

export const navItems: readonly NavItem[] = [
  { label: msg`Home`, icon: House, getHref: () => "/", getQueryKeys: () => [queryKeys.feeds] },
  {
    label: msg`Discover`,
    icon: Compass,
    getHref: () => "/discover",
    getQueryKeys: () => [queryKeys.trending, queryKeys.suggestions, queryKeys.searches],
  },
  {
    label: msg`Notifications`,
    icon: Bell,
    getHref: () => "/notifications",
    getQueryKeys: () => [queryKeys.notifications],
    getUnreadCount: (currentUser) => currentUser.unreadNotificationCount,
  },
  {
    label: msg`Invites`,
    icon: Ticket,
    getHref: () => "/invites",
    getQueryKeys: () => [queryKeys.invites, queryKeys.currentUser],
    isMenuOnly: true,
  },
  {
    label: msg`Profile`,
    icon: UserRound,
    getHref: (currentUser) => `/profile/${currentUser.username}`,
    getQueryKeys: (currentUser) => [queryKeys.user(currentUser.username)],
  },
];
