export type NotificationFilter = "all" | "conversation";
export type ProfileFilter = "posts" | "replies" | "media" | "likes";

export type FeedName = "friends" | "for-you";

export type FollowDirection = "followers" | "following";

export type MuteOrBlock = "mutes" | "blocks";

/** The keys of the query cache; a shorter key is the parent of a longer one. */
export const queryKeys = {
  currentUser: ["me"] as const,
  posts: ["post"] as const,
  post: (id: string) => ["post", id] as const,
  /** The lists of posts that are not part of a profile. */
  postLists: ["post-list"] as const,
  feeds: ["post-list", "feed"] as const,
  feed: (name: FeedName) => ["post-list", "feed", name] as const,
  hashtag: (tag: string) => ["post-list", "tag", tag] as const,
  threads: ["thread"] as const,
  thread: (id: string) => ["thread", id] as const,
  users: ["user"] as const,
  user: (username: string) => ["user", username.toLowerCase()] as const,
  userPosts: (username: string, filter: ProfileFilter) =>
    ["user", username.toLowerCase(), "posts", filter] as const,
  suggestions: ["suggestions"] as const,
  searches: ["search"] as const,
  search: (term: string) => ["search", term] as const,
  trending: ["trending"] as const,
  followStatus: (userId: string) => ["follow", userId] as const,
  followLists: ["follow-list"] as const,
  followList: (username: string, side: FollowDirection) =>
    ["follow-list", username.toLowerCase(), side] as const,
  mutesOrBlocks: (list: MuteOrBlock) => ["kept-away", list] as const,
  invites: ["invites"] as const,
  vouches: ["vouches"] as const,
  sessions: ["devices"] as const,
  account: ["account"] as const,
  dataExport: ["export"] as const,
  notifications: ["notifications"] as const,
  notificationList: (filter: NotificationFilter) => ["notifications", filter] as const,
  notificationSettings: ["notification-settings"] as const,
  push: ["push"] as const,
  conversationMutes: ["conversation-mute"] as const,
  conversationMute: (postId: string) => ["conversation-mute", postId] as const,
  sitePages: ["site-page"] as const,
  sitePage: (page: string) => ["site-page", page] as const,
  siteSettings: ["site-settings"] as const,
  moderationNotices: ["moderation-notices"] as const,
  sentReports: ["sent-reports"] as const,
  moderation: ["moderation"] as const,
  waitlist: ["moderation", "waitlist"] as const,
  usernameAvailability: (username: string) => ["availability", username] as const,
};
