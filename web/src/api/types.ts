import type { components } from "./schema.gen";

// The API describes each type in `openapi.json`.
type Schemas = components["schemas"];

export type User = Schemas["User"];
export type Me = Schemas["Me"];
export type UserSummary = Schemas["MemberRef"];
export type PostImage = Schemas["Image"];
export type Post = Schemas["Post"];
export type CreatePostInput = Schemas["NewPostRequest"];
/** Why something is shown that the reader did not ask for. */
export type FeedReason = Schemas["Reason"];
/** Those of the feed's members who reposted a post. */
export type Reposters = Schemas["Reposters"];
/** Numbers of responses to a post, as an event states them. */
export type PostCounts = Schemas["PostCounts"];
/** The data of the events `notifications` and `feed`. */
export type UnreadEvent = Schemas["UnreadEvent"];
export type NewPostsEvent = Schemas["NewPostsEvent"];
export type Invite = Schemas["Invite"];
export type Session = Schemas["Device"];
export type PendingEmail = Schemas["PendingEmail"];
export type EmailState = Schemas["EmailState"];
export type DataExport = Schemas["Export"];
export type Notification = Schemas["Notification"];
/** The part of an image to show. */
export type Crop = Schemas["Part"];
export type ProfileUpdate = Schemas["ProfileUpdate"];
export type UsernameAvailability = Schemas["Availability"];
export type FollowStatus = Schemas["FollowStatus"];
export type Role = Schemas["Role"];
export type ReportReason = Schemas["ReportReason"];
/** All reports of one post or member until a moderator decides. */
export type ReportCase = Schemas["Case"];
export type ReportDecision = Schemas["Decision"];
export type AdminUser = Schemas["MemberRecord"];
/** A decision of the moderators about a member, as the member sees it. */
export type ModerationNotice = Schemas["ModerationNotice"];
/** An objection to such a decision, as moderators see it. */
export type Objection = Schemas["Objection"];
/** A report of one's own with its outcome. */
export type SentReport = Schemas["SentReport"];
export type RemovedPost = Schemas["RemovedPost"];
export type WaitlistEntry = Schemas["WaitlistEntry"];
export type Vouch = Schemas["Vouch"];
/** The network's identity and pages, as an admin sees them. */
export type SiteSettings = Schemas["AdminSettings"];
export type SiteSettingsUpdate = Schemas["SettingsUpdate"];
export type AuditEntry = Schemas["AuditEntry"];
export type ErrorBody = Schemas["ErrorBody"];
