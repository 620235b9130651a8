import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import type { ComponentType } from "react";
import { loadMemberCatalog } from "@/lib/i18n/catalogs";
import { type LazyModule, lazyModule } from "@/lib/state/lazy-module";
import { lazyScreen } from "./lazy-screen";

interface ScreenModule {
  /** The screen; the parameters of its path are its props. */
  default: ComponentType<never>;
  /** Fetches its first data, concurrently with the current user. */
  preload?: (params: never) => Promise<unknown>;
  /** Fetches its first data before it is opened; the screen has to revalidate it. */
  prefetch?: () => Promise<unknown>;
}

export interface Screen {
  path: RegExp;
  module: LazyModule<ScreenModule>;
  Component: ReturnType<typeof lazyScreen>;
  isModeratorOnly: boolean;
}

// The build parses these entries to list the scripts of each path for start.js. A screen without a title
// here sets one that depends on its content.
function screen(
  path: string,
  title: MessageDescriptor | "" | null,
  load: () => Promise<ScreenModule>,
  isModeratorOnly = false,
): Screen {
  const module = lazyModule(load);
  const pattern = new RegExp(`^${path.replaceAll(/:(\w+)/g, "(?<$1>[^/]+)")}/?$`, "i");
  return { path: pattern, module, Component: lazyScreen(module, title), isModeratorOnly };
}

export const publicScreens = [
  screen("/auth/verify", msg`Verifying`, () => import("@/screens/verify-login")),
  screen("/account/confirm", msg`Your address`, () => import("@/screens/confirm-email-change")),
  screen("/notice", msg`Notice`, async () => {
    const [module] = await Promise.all([import("@/screens/notice"), loadMemberCatalog()]);
    return module;
  }),
  screen("/terms", msg`Terms`, () => import("@/screens/terms")),
  screen("/rules", msg`Rules`, () => import("@/screens/rules")),
  screen("/imprint", msg`Imprint`, () => import("@/screens/imprint")),
  screen("/privacy", msg`Privacy`, () => import("@/screens/privacy")),
];

/** The screens of members; the last one is for every other path, also with a line break in it. */
export const memberScreens = [
  screen("/", msg`Home`, () => import("@/screens/home")),
  screen("/post/:id", msg`Thread`, () => import("@/screens/thread")),
  screen("/tag/:tag", null, () => import("@/screens/tag")),
  screen("/profile/:username", null, () => import("@/screens/profile")),
  screen(
    "/profile/:username/(?<side>followers|following)",
    null,
    () => import("@/screens/follow-list"),
  ),
  screen("/discover", msg`Discover`, () => import("@/screens/discover")),
  screen("/notifications", msg`Notifications`, () => import("@/screens/notifications")),
  screen("/invites", msg`Invite Friends`, () => import("@/screens/invites")),
  screen("/settings", msg`Settings`, () => import("@/screens/settings")),
  screen(
    "/settings/notices",
    msg`Notices and reports`,
    () => import("@/screens/moderation-notices"),
  ),
  screen("/admin", msg`Moderation`, () => import("@/screens/admin"), true),
  screen("[^]*", msg`404 Page Not Found`, () => import("@/screens/not-found")),
];

/** The screen of visitors, at every path of a member's screens. */
export const landing = screen("[^]*", "", () => import("@/screens/landing"));

/** The frame of the members' screens. */
export const authenticatedAppModule = lazyModule(async () => {
  const [module] = await Promise.all([import("./authenticated-app"), loadMemberCatalog()]);
  return module;
});

/** The screen in the place of all of a member's screens while the server can't be reached. */
export const OfflineScreen = lazyScreen(
  lazyModule(async () => {
    const [module] = await Promise.all([import("@/screens/offline"), loadMemberCatalog()]);
    return module;
  }),
  msg`Offline`,
);

export function findScreen(screens: readonly Screen[], path: string) {
  for (const found of screens) {
    const match = found.path.exec(path);
    if (match) return { ...found, params: { ...match.groups } };
  }
  return undefined;
}
