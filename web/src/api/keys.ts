/** Which posts of a profile a list shows. */
export type ProfileFilter = "posts" | "replies" | "media" | "likes";

/** The feeds of Home. */
export type FeedName = "friends" | "for-you";

/** Which side of a member's follows a list shows. */
export type FollowSide = "followers" | "following";

/** The lists of whom I keep away. */
export type KeptAway = "mutes" | "blocks";

/** The names under which answers live in the cache; a shorter key is the parent of a longer one. */
export const keys = {
  me: ["me"] as const,
  posts: ["post"] as const,
  post: (id: string) => ["post", id] as const,
  feeds: ["feed"] as const,
  feed: (name: FeedName) => ["feed", name] as const,
  threads: ["thread"] as const,
  thread: (id: string) => ["thread", id] as const,
  tags: ["tag"] as const,
  tag: (tag: string) => ["tag", tag] as const,
  users: ["user"] as const,
  user: (username: string) => ["user", username.toLowerCase()] as const,
  userPosts: (username: string, filter: ProfileFilter) =>
    ["user", username.toLowerCase(), "posts", filter] as const,
  suggestions: ["suggestions"] as const,
  searches: ["search"] as const,
  search: (term: string) => ["search", term] as const,
  trending: ["trending"] as const,
  follow: (userId: string) => ["follow", userId] as const,
  followLists: ["follow-list"] as const,
  followList: (username: string, side: FollowSide) =>
    ["follow-list", username.toLowerCase(), side] as const,
  keptAway: (list: KeptAway) => ["kept-away", list] as const,
  invites: ["invites"] as const,
  vouches: ["vouches"] as const,
  devices: ["devices"] as const,
  account: ["account"] as const,
  export: ["export"] as const,
  notifications: ["notifications"] as const,
  moderation: ["moderation"] as const,
  cases: (state: "open" | "resolved") => ["moderation", "cases", state] as const,
  memberRecords: (term: string) => ["moderation", "members", term] as const,
  letIn: (inviter: string) => ["moderation", "members", { inviter }] as const,
  waitlist: ["moderation", "waitlist"] as const,
  audit: ["moderation", "audit"] as const,
  availability: (username: string) => ["availability", username] as const,
};
