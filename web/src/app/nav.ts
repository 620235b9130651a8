import { Bell, Compass, House, type LucideIcon, Ticket, UserRound } from "lucide-react";
import type { Me } from "@/api/types";

/** A place that navigation leads to. */
export interface NavEntry {
  label: string;
  icon: LucideIcon;
  href: (me: Me) => string;
  /** How much waits there to be read. */
  unread?: (me: Me) => number;
  /** Whether small screens show it in the bottom bar too. */
  inBottomBar: boolean;
}

/** All places, in the order they are shown. */
export const navEntries: readonly NavEntry[] = [
  { label: "Home", icon: House, href: () => "/", inBottomBar: true },
  { label: "Discover", icon: Compass, href: () => "/discover", inBottomBar: true },
  {
    label: "Notifications",
    icon: Bell,
    href: () => "/notifications",
    unread: (me) => me.unreadNotificationCount,
    inBottomBar: true,
  },
  { label: "Invites", icon: Ticket, href: () => "/invites", inBottomBar: false },
  {
    label: "Profile",
    icon: UserRound,
    href: (me) => `/profile/${me.username}`,
    inBottomBar: true,
  },
];
