import type { QueryKey } from "@tanstack/react-query";
import { Bell, Compass, House, type LucideIcon, Ticket, UserRound } from "lucide-react";
import { queryKeys } from "@/api/query-keys";
import type { Me } from "@/api/types";

export interface NavEntry {
  label: string;
  icon: LucideIcon;
  href: (me: Me) => string;
  /** What is fetched again when the member goes there while being there. */
  shows: (me: Me) => readonly QueryKey[];
  unread?: (me: Me) => number;
  /** Whether small screens show it in their menu only, not in the bottom bar. */
  inMenuOnly?: boolean;
}

export const navEntries: readonly NavEntry[] = [
  { label: "Home", icon: House, href: () => "/", shows: () => [queryKeys.feeds] },
  {
    label: "Discover",
    icon: Compass,
    href: () => "/discover",
    shows: () => [queryKeys.trending, queryKeys.suggestions, queryKeys.searches],
  },
  {
    label: "Notifications",
    icon: Bell,
    href: () => "/notifications",
    shows: () => [queryKeys.notifications],
    unread: (me) => me.unreadNotificationCount,
  },
  {
    label: "Invites",
    icon: Ticket,
    href: () => "/invites",
    shows: () => [queryKeys.invites, queryKeys.currentUser],
    inMenuOnly: true,
  },
  {
    label: "Profile",
    icon: UserRound,
    href: (me) => `/profile/${me.username}`,
    shows: (me) => [queryKeys.user(me.username)],
  },
];
