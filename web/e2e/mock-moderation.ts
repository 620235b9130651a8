import type { AuditEntry, ReportCase, AdminUser } from "../src/api/types";
import { bob, twoHoursAgo } from "./mock-api";

/** A member as moderators see them. */
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
