import type { components } from "./schema.gen";

type Schemas = components["schemas"];

/** A member as anyone who is logged in sees them. */
export type User = Schemas["User"];
/** The logged-in member. */
export type Me = Schemas["Me"];
/** A member in one line: name, handle, picture. */
export type MemberRef = Schemas["MemberRef"];
/** Who wrote a post. */
export type PostAuthor = Schemas["MemberRef"];
/** A picture of a post, with the size to reserve for it. */
export type PostImage = Schemas["Image"];
/** A post, a reply or a repost. */
export type Post = Schemas["Post"];
/** A post with the replies under it. */
export type Thread = Schemas["Thread"];
/** A topic and how much is said about it. */
export type Topic = Schemas["Topic"];
/** Why something is shown that the reader did not ask for. */
export type Reason = Schemas["Reason"];
/** A code with which a member lets a friend in. */
export type Invite = Schemas["Invite"];
/** A session of mine: one browser in which I am logged in. */
export type Device = Schemas["Device"];
/** My address, and whether the account will be deleted. */
export type Account = Schemas["Account"];
/** A change of my address that waits to be confirmed. */
export type PendingEmail = Schemas["PendingEmail"];
/** What became of a change of address. */
export type EmailState = Schemas["EmailState"];
/** A copy of everything I have, on its way or ready. */
export type Export = Schemas["Export"];
/** Something that somebody did and that concerns me. */
export type Notification = Schemas["Notification"];
/** What a member can change about their profile. */
export type ProfileUpdate = Schemas["ProfileUpdate"];
/** Whether a username could be chosen now, and if not, why. */
export type Availability = Schemas["Availability"];
/** Whether I follow somebody. */
export type FollowStatus = Schemas["FollowStatus"];
/** What a member may do. */
export type Role = Schemas["Role"];
/** Why something is reported. */
export type ReportReason = Schemas["ReportReason"];
/** All reports of one post or member until somebody decides. */
export type Case = Schemas["Case"];
/** What a moderator decides about reports. */
export type Decision = Schemas["Decision"];
/** A member and how they stand. */
export type MemberRecord = Schemas["MemberRecord"];
/** Somebody who waits to be let in. */
export type WaitlistEntry = Schemas["WaitlistEntry"];
/** My word for somebody who waits, or will. */
export type Vouch = Schemas["Vouch"];
/** One deed of a moderator, an admin or the operator. */
export type AuditEntry = Schemas["AuditEntry"];
/** What the server says when it refuses. */
export type ErrorBody = Schemas["ErrorBody"];
