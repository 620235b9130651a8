/** Code of the app that is fetched on its own, at the latest when it is first shown. */
export interface Code<Module> {
  /** Fetches it, once; after a failure anew. */
  load: () => Promise<Module>;
  /** The code, if it is here. */
  here: () => Module | undefined;
}

function codeOf<Module>(start: () => Promise<Module>): Code<Module> {
  let module: Module | undefined;
  let coming: Promise<Module> | undefined;
  const load = async () => {
    try {
      coming ??= start();
      module = await coming;
      return module;
    } catch (error) {
      coming = undefined;
      throw error;
    }
  };
  return { load, here: () => module };
}

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
