import type { NotificationSettings } from "@/api/notification-settings";
import type { Push } from "@/api/push";
import type {
  DataExport,
  Invite,
  Me,
  ModerationNotice,
  Notification,
  Objection,
  Post,
  RemovedPost,
  SentReport,
  Session,
  SiteSettings,
  User,
  Vouch,
} from "@/api/types";
import {
  makeNotices,
  makeObjections,
  makeRemovedPosts,
  makeSentReports,
  makeSuspensionNotice,
} from "./notice-records";
import {
  hoursAgo,
  makeNotification,
  makePoll,
  makePost,
  makeSettings,
  makeUser,
  makeViewer,
} from "./records";

/** The data of the mocked server, from the viewer's perspective. */
export interface Network {
  /** The logged-in member; null for a visitor. */
  viewer: Me | null;
  /** All members but the viewer. */
  users: User[];
  /** Newest first; without deleted posts. */
  posts: Post[];
  notifications: Notification[];
  notificationSettings: NotificationSettings;
  push: Push;
  invites: Invite[];
  vouches: Vouch[];
  sessions: Session[];
  dataExport: DataExport;
  settings: SiteSettings;
  /** What moderators decided about the viewer. */
  notices: ModerationNotice[];
  /** The notice that the mailed link leads to. */
  linkedNotice: ModerationNotice;
  sentReports: SentReport[];
  objections: Objection[];
  removedPosts: RemovedPost[];
  /** The code in the login email. */
  loginCode: string;
}

const PUSH_KEY =
  "BOHVsfl9bw-z8r9npRvnXJJcSBejzlal85V2fu385pixaMQ0CNfvUweM2kg22mSjA7WSYcA0vf5QO2ze2Ptw72o";

const NO_EXPORT: DataExport = {
  state: "none",
  percent: 0,
  size: null,
  createdAt: null,
  expiresAt: null,
};

/** A mocked community of five members. */
export function makeCommunity(viewer: Partial<Me> = {}): Network {
  const mara = makeViewer(viewer);
  const jonas = makeUser({ username: "jonas", displayName: "Jonas Weber", isFollowing: true });
  const ines = makeUser({ username: "ines", displayName: "Ines Costa", followsYou: true });
  const tom = makeUser({ username: "tom", displayName: "Tom Reed", bio: "Bakes bread." });
  const aiko = makeUser({ username: "aiko", displayName: "Aiko Sato" });
  const own = makePost(mara, "My first post.", { createdAt: hoursAgo(30), likeCount: 2 });
  const post = { id: own.id, content: own.content };
  const notifications = [
    makeNotification("like", jonas, { post }),
    makeNotification("like", ines, { post, createdAt: hoursAgo(3) }),
    makeNotification("follow", tom, { isRead: true, createdAt: hoursAgo(50) }),
  ];
  mara.unreadNotificationCount = notifications.filter(({ isRead }) => !isRead).length;
  return {
    viewer: mara,
    users: [jonas, ines, tom, aiko],
    posts: [
      makePost(jonas, "The lake froze over last night.", { likeCount: 4 }),
      makePost(ines, "Which day suits you for the walk?", {
        createdAt: hoursAgo(5),
        ...makePoll({ Saturday: 3, Sunday: 1 }),
      }),
      makePost(tom, "Bread is in the oven.", { createdAt: hoursAgo(8) }),
      makePost(aiko, "Does anyone have a spare bicycle pump?", { createdAt: hoursAgo(26) }),
      own,
    ],
    notifications,
    notificationSettings: {
      follow: { from: "everyone", push: true },
      like: { from: "everyone", push: false },
      reply: { from: "everyone", push: true },
      repost: { from: "everyone", push: false },
      mention: { from: "everyone", push: true },
      quietHours: null,
      weeklyDigest: false,
    },
    push: { publicKey: PUSH_KEY, subscription: null },
    invites: [],
    vouches: [],
    sessions: [
      {
        id: "1",
        name: "Firefox on Linux",
        createdAt: hoursAgo(200),
        lastUsedAt: hoursAgo(0),
        isCurrent: true,
      },
    ],
    dataExport: NO_EXPORT,
    settings: makeSettings(),
    notices: makeNotices(),
    linkedNotice: makeSuspensionNotice(),
    sentReports: makeSentReports(tom, aiko),
    objections: makeObjections(tom, ines),
    removedPosts: makeRemovedPosts(tom),
    loginCode: "KITH2345",
  };
}

/** The network that the handlers read and change. */
export const network: Network = makeCommunity();

/** Replaces the network. */
export function resetNetwork(next: Network = makeCommunity()): void {
  Object.assign(network, next);
}

/** The logged-in member; throws for a visitor. */
export function getViewer(): Me {
  if (!network.viewer) throw new Error("The mocked network has no viewer.");
  return network.viewer;
}

/** A member by username, the viewer included. */
export function findUser(username: unknown): User | undefined {
  return [...(network.viewer ? [network.viewer] : []), ...network.users].find(
    (user) => user.username === username,
  );
}

export const findUserById = (id: unknown): User | undefined =>
  network.users.find((user) => user.id === id);

export const findPost = (id: unknown): Post | undefined =>
  network.posts.find((post) => post.id === id);
