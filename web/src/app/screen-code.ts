import { codeOf } from "@/lib/code";

/** The parts of the app that are not part of its first script. */
export const code = {
  landing: codeOf(() => import("@/screens/landing")),
  verify: codeOf(() => import("@/screens/verify")),
  confirmEmail: codeOf(() => import("@/screens/confirm-email")),
  terms: codeOf(() => import("@/screens/terms")),
  privacy: codeOf(() => import("@/screens/privacy")),
  member: codeOf(() => import("./member")),
  thread: codeOf(() => import("@/screens/thread")),
  tag: codeOf(() => import("@/screens/tag")),
  profile: codeOf(() => import("@/screens/profile")),
  followList: codeOf(() => import("@/screens/follow-list")),
  discover: codeOf(() => import("@/screens/discover")),
  notifications: codeOf(() => import("@/screens/notifications")),
  invites: codeOf(() => import("@/screens/invites")),
  settings: codeOf(() => import("@/screens/settings")),
  admin: codeOf(() => import("@/screens/admin")),
  notFound: codeOf(() => import("@/screens/not-found")),
};

/** The menu of whoever is logged in, with the way out. */
export const loadUserMenu = () => import("./user-menu-panel");
