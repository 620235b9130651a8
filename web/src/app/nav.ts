import type { QueryKey } from "@tanstack/react-query";
import { Bell, Compass, House, type LucideIcon, Ticket, UserRound } from "lucide-react";
import { keys } from "@/api/keys";
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
  { label: "Home", icon: House, href: () => "/", shows: () => [keys.feeds] },
  {
    label: "Discover",
    icon: Compass,
    href: () => "/discover",
    shows: () => [keys.trending, keys.suggestions, keys.searches],
  },
  {
    label: "Notifications",
    icon: Bell,
    href: () => "/notifications",
    shows: () => [keys.notifications],
    unread: (me) => me.unreadNotificationCount,
  },
  {
    label: "Invites",
    icon: Ticket,
    href: () => "/invites",
    shows: () => [keys.invites, keys.me],
    inMenuOnly: true,
  },
  {
    label: "Profile",
    icon: UserRound,
    href: (me) => `/profile/${me.username}`,
    shows: (me) => [keys.user(me.username)],
  },
];
