import type { Me, Notification, Post, SiteSettings, User, UserSummary } from "@/api/types";
import { defaultSite } from "@/lib/site";

const HOUR_MS = 3_600_000;

/** A time in the past, as the server writes it. */
export const hoursAgo = (hours: number) => new Date(Date.now() - hours * HOUR_MS).toISOString();

let lastId = 1_000;

/** An id that no other record has; later ids are larger. */
export function nextId(): string {
  lastId += 1;
  return String(lastId);
}

export function makeUser(values: Partial<User> & { username: string }): User {
  return {
    id: nextId(),
    displayName: values.username,
    bio: "",
    website: "",
    profileImageUrl: null,
    headerImageUrl: null,
    createdAt: hoursAgo(24 * 90),
    followerCount: 0,
    followingCount: 0,
    postCount: 0,
    isFollowing: false,
    followsYou: false,
    isMuted: false,
    isBlocked: false,
    blocksMe: false,
    invitedBy: null,
    suspendedAt: null,
    ...values,
  };
}

export function makeViewer(values: Partial<Me> = {}): Me {
  return {
    ...makeUser({ username: "mara", displayName: "Mara Lind" }),
    email: "mara@example.org",
    deletionAt: null,
    invitesAvailable: 3,
    invitesFrozen: false,
    unreadNotificationCount: 0,
    role: "member",
    acceptedRulesVersion: 0,
    announcement: null,
    usernameIsProvisional: false,
    unreadNotices: 0,
    ...values,
  };
}

export function toSummary({
  id,
  username,
  displayName,
  profileImageUrl,
}: UserSummary): UserSummary {
  return { id, username, displayName, profileImageUrl };
}

/** A post of two hours ago, without responses; `values` replace its fields. */
export function makePost(author: UserSummary, content: string, values: Partial<Post> = {}): Post {
  return {
    id: nextId(),
    content,
    author: toSummary(author),
    createdAt: hoursAgo(2),
    imageUrls: [],
    images: [],
    pollOptions: [],
    pollVotes: {},
    pollTallies: {},
    pollMyVote: null,
    pollExpiresAt: null,
    replyToId: null,
    replyTo: null,
    repostOfId: null,
    repostOf: null,
    mentions: [],
    hashtags: [],
    links: [],
    reason: null,
    reposters: null,
    isDeleted: false,
    isHidden: false,
    isMuted: false,
    replyCount: 0,
    repostCount: 0,
    likeCount: 0,
    isLiked: false,
    isReposted: false,
    ...values,
  };
}

/** The poll of a post, with as many votes for each option. */
export function makePoll(votes: Record<string, number>, expiresAt = hoursAgo(-24)): Partial<Post> {
  return { pollOptions: Object.keys(votes), pollTallies: votes, pollExpiresAt: expiresAt };
}

export function makeNotification(
  type: Notification["type"],
  actor: User,
  values: Partial<Notification> = {},
): Notification {
  return {
    id: nextId(),
    type,
    actor: toSummary(actor),
    post: null,
    isRead: false,
    createdAt: hoursAgo(1),
    ...values,
  };
}

/** The settings of a network whose operator has changed nothing. */
export const makeSettings = (changes: Partial<SiteSettings> = {}): SiteSettings => ({
  ...defaultSite,
  rules: null,
  terms: null,
  privacy: null,
  imprint: null,
  announcement: null,
  announcementVersion: 0,
  announcementIsMailed: false,
  newMemberDays: 0,
  newMemberPosts: 20,
  newMemberFollows: 50,
  pinnedTopics: [
    { tag: "WebDev", category: "Technology" },
    { tag: "UIDesign", category: "Design" },
  ],
  version: 1,
  ...changes,
});
