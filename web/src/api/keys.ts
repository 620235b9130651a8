export type ProfileFilter = "posts" | "replies" | "media" | "likes";

export type FeedName = "friends" | "for-you";

export type FollowSide = "followers" | "following";

export type KeptAway = "mutes" | "blocks";

/** The keys of the query cache; a shorter key is the parent of a longer one. */
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
  waitlist: ["moderation", "waitlist"] as const,
  availability: (username: string) => ["availability", username] as const,
};
