import type {
  AdminUser,
  AuditEntry,
  ModerationNotice,
  Objection,
  RemovedPost,
  ReportCase,
  SentReport,
} from "../src/api/types";
import { makeNotice, makeObjection } from "../src/test/mock-api/notice-records";
import { bob, twoHoursAgo } from "./mock-api";

/** A member in the lists of moderators. */
export function makeAdminUser(more: Partial<AdminUser> = {}): AdminUser {
  return {
    ...bob,
    role: "member",
    createdAt: "2026-03-15T12:00:00.000Z",
    suspendedAt: null,
    invitesFrozenAt: null,
    suspendedUntil: null,
    invitesFrozenUntil: null,
    invitedBy: { id: "3", username: "eve", displayName: "Eve", profileImageUrl: null },
    ...more,
  };
}

/** Reports of a post of Bob's. */
export function makeReportCase(id: string, more: Partial<ReportCase> = {}): ReportCase {
  return {
    id,
    kind: "post",
    postId: "7",
    post: { isDeleted: false, replyTo: null },
    member: makeAdminUser(),
    reportCount: 3,
    reasons: [
      { reason: "spam", count: 2 },
      { reason: "other", count: 1 },
    ],
    reports: [{ reason: "other", note: "The tenth one today", createdAt: twoHoursAgo }],
    evidence: [{ text: `Cheap watches ${id}`, imageUrls: ["/favicon.svg"] }],
    reportedAt: twoHoursAgo,
    resolution: null,
    ...more,
  };
}

/** A row of the audit log. */
export function makeAuditEntry(id: string, more: Partial<AuditEntry> = {}): AuditEntry {
  return {
    id,
    createdAt: "2026-11-21T09:30:00.000Z",
    actor: null,
    action: "create_invites",
    postId: null,
    hasPost: false,
    member: null,
    detail: "1",
    note: "",
    hash: "x".repeat(43),
    ...more,
  };
}

/** A notice of two hours ago, with these ids. */
export function makeModerationNotice(
  id: string,
  more: Partial<ModerationNotice> = {},
): ModerationNotice {
  return makeNotice({
    id,
    createdAt: twoHoursAgo,
    post: { id: "7", content: `Cheap watches ${id}` },
    ...more,
  });
}

/** An objection of Bob's to the removal of a post. */
export function makeObjectionCase(id: string, more: Partial<Objection> = {}): Objection {
  const notice = makeModerationNotice(id, { objection: makeObjection({ createdAt: twoHoursAgo }) });
  return { id, notice, member: makeAdminUser(), by: makeAdminUser({ username: "eve" }), ...more };
}

/** A removed post of Bob's. */
export function makeRemovedPost(id: string, more: Partial<RemovedPost> = {}): RemovedPost {
  return {
    id,
    author: makeAdminUser(),
    content: `Cheap watches ${id}`,
    imageUrls: ["/favicon.svg"],
    removedAt: twoHoursAgo,
    restorableUntil: "2100-01-01T00:00:00.000Z",
    ...more,
  };
}

/** A report of a post of Bob's. */
export function makeSentReport(id: string, more: Partial<SentReport> = {}): SentReport {
  return {
    id,
    kind: "post",
    username: bob.username,
    reason: "spam",
    note: "The tenth one today",
    createdAt: twoHoursAgo,
    postId: null,
    userId: null,
    outcome: null,
    resolvedAt: null,
    ...more,
  };
}
