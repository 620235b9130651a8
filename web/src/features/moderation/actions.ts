import { api } from "@/api/client";
import type { ReportCase, ReportDecision, AdminUser, Role } from "@/api/types";
import { type ModerationAction, createRemovePostAction } from "./moderation-action-dialog";

export const roles = ["member", "moderator", "admin"] as const;

export const roleNames = { member: "Member", moderator: "Moderator", admin: "Admin" } as const;

/** Whether a member of the first role may act on one of the second. */
export function isAbove(role: Role, other: Role): boolean {
  return roles.indexOf(role) > roles.indexOf(other);
}

/** The actions on a case; `mayAct` is whether the viewer may act on its member. */
export function caseActions(reported: ReportCase, mayAct: boolean): ModerationAction[] {
  const { id, kind, member, reportCount, resolution } = reported;
  if (resolution) return mayAct ? [suspension(member), freeze(member)] : [];
  // The server rejects it if there are more reports than were shown.
  const decide = (action: ReportDecision) => (note: string) =>
    api.POST("/api/admin/reports/{id}/resolve", {
      params: { path: { id } },
      body: { action, note, reportCount },
    });
  const actions: ModerationAction[] = [
    {
      title: "Dismiss these reports?",
      description:
        "Nothing happens to the post or its author, and the reports are closed. New reports of it open a new case.",
      action: "Dismiss",
      successMessage: "Reports dismissed",
      run: decide("dismiss"),
    },
  ];
  if (mayAct && kind === "post")
    actions.push(createRemovePostAction(member.username, decide("remove")));
  if (mayAct && !member.suspendedAt) {
    const suspend = suspension(member);
    const description = `${suspend.description} The reports are closed.`;
    actions.push({ ...suspend, description, run: decide("suspend") });
  }
  if (mayAct) actions.push(freeze(member));
  return actions;
}

/** Suspends a member, or lifts the suspension. */
export function suspension({ id, username, suspendedAt }: AdminUser): ModerationAction {
  if (suspendedAt) {
    return {
      title: `Let @${username} in again?`,
      description: "The suspension ends, and they can log in.",
      action: "Lift suspension",
      successMessage: "Suspension lifted",
      isUndo: true,
      run: () => end(id, "suspension"),
    };
  }
  return {
    title: `Suspend @${username}?`,
    description: `@${username} is logged out everywhere at once and cannot log in. You can lift the suspension at any time.`,
    action: "Suspend",
    successMessage: "Member suspended",
    destructive: true,
    run: (note) => begin(id, "suspension", note),
  };
}

/** Freezes the invites of a member, or unfreezes them. */
export function freeze({ id, username, invitesFrozenAt }: AdminUser): ModerationAction {
  if (invitesFrozenAt) {
    return {
      title: `Unfreeze the invites of @${username}?`,
      description: "Their unused codes work again until they expire, and they can make new ones.",
      action: "Unfreeze invites",
      successMessage: "Invites unfrozen",
      isUndo: true,
      run: () => end(id, "invite-freeze"),
    };
  }
  return {
    title: `Freeze the invites of @${username}?`,
    description:
      "No one can join with their codes, and they can't create new ones. You can unfreeze them at any time.",
    action: "Freeze invites",
    successMessage: "Invites frozen",
    destructive: true,
    run: (note) => begin(id, "invite-freeze", note),
  };
}

type Restriction = "suspension" | "invite-freeze";

const begin = (userId: string, what: Restriction, note: string) =>
  api.PUT(`/api/admin/members/{userId}/${what}`, { params: { path: { userId } }, body: { note } });

const end = (userId: string, what: Restriction) =>
  api.DELETE(`/api/admin/members/{userId}/${what}`, { params: { path: { userId } } });

const rights = {
  member: "They have the rights of every member, and no others.",
  moderator: "They see all reports, remove posts, suspend members and freeze invites.",
  admin:
    "They can do everything, including giving roles and reading the audit log. Only the operator of the server can undo this.",
} as const;

export function promotion({ id, username }: AdminUser, role: Role): ModerationAction {
  const params = { path: { userId: id } };
  return {
    title: `Make @${username} ${role === "admin" ? "an" : "a"} ${role}?`,
    description: rights[role],
    action: `Make ${role}`,
    successMessage: `@${username}: ${roleNames[role]}`,
    run: (note) => api.PUT("/api/admin/members/{userId}/role", { params, body: { role, note } }),
  };
}
