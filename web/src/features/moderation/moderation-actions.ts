import { msg, t } from "@lingui/core/macro";
import { api } from "@/api/client";
import type { ReportCase, ReportDecision, AdminUser, Role } from "@/api/types";
import {
  type ModerationAction,
  type ModerationInput,
  createRemovePostAction,
} from "./moderation-action-dialog";

export const roles = ["member", "moderator", "admin"] as const;

export const roleLabels = {
  member: msg`Member`,
  moderator: msg`Moderator`,
  admin: msg`Admin`,
} as const;

/** Whether a member of the first role may act on one of the second. */
export function outranks(role: Role, other: Role): boolean {
  return roles.indexOf(role) > roles.indexOf(other);
}

/** The actions on a case; `mayAct` is whether the viewer may act on its member. */
export function getReportActions(reportCase: ReportCase, canModerate: boolean): ModerationAction[] {
  const { id, kind, member, reportCount, resolution } = reportCase;
  if (resolution)
    return canModerate ? [createSuspendAction(member), createFreezeInvitesAction(member)] : [];
  // The server rejects it if there are more reports than were shown.
  const resolve = (action: ReportDecision) => (input: ModerationInput) =>
    api.POST("/api/admin/reports/{id}/resolve", {
      params: { path: { id } },
      body: { action, ...input, reportCount },
    });
  const actions: ModerationAction[] = [
    {
      title: t`Dismiss these reports?`,
      description: t`Nothing happens to the post or its author, and the reports are closed. New reports of it open a new case.`,
      action: t`Dismiss`,
      successMessage: t`Reports dismissed`,
      run: resolve("dismiss"),
    },
  ];
  if (canModerate && kind === "post")
    actions.push(createRemovePostAction(member.username, resolve("remove")));
  if (canModerate && !member.suspendedAt) {
    const suspend = createSuspendAction(member);
    const description = `${suspend.description} ${t`The reports are closed.`}`;
    actions.push({ ...suspend, description, run: resolve("suspend") });
  }
  if (canModerate) actions.push(createFreezeInvitesAction(member));
  return actions;
}

/** Suspends a member, or lifts the suspension. */
export function createSuspendAction({ id, username, suspendedAt }: AdminUser): ModerationAction {
  if (suspendedAt) {
    return {
      title: t`Let @${username} in again?`,
      description: t`The suspension ends, and they can log in.`,
      action: t`Lift suspension`,
      successMessage: t`Suspension lifted`,
      isUndo: true,
      run: () => liftRestriction(id, "suspension"),
    };
  }
  return {
    title: t`Suspend @${username}?`,
    description: t`@${username} is logged out everywhere at once and cannot log in. They get a notice and can object, and you can lift the suspension at any time.`,
    action: t`Suspend`,
    successMessage: t`Member suspended`,
    destructive: true,
    canEnd: true,
    notifies: username,
    run: (input) => imposeRestriction(id, "suspension", input),
  };
}

/** Freezes the invites of a member, or unfreezes them. */
export function createFreezeInvitesAction({
  id,
  username,
  invitesFrozenAt,
}: AdminUser): ModerationAction {
  if (invitesFrozenAt) {
    return {
      title: t`Unfreeze the invites of @${username}?`,
      description: t`Their unused codes work again until they expire, and they can make new ones.`,
      action: t`Unfreeze invites`,
      successMessage: t`Invites unfrozen`,
      isUndo: true,
      run: () => liftRestriction(id, "invite-freeze"),
    };
  }
  return {
    title: t`Freeze the invites of @${username}?`,
    description: t`No one can join with their codes, and they can't create new ones. They get a notice and can object, and you can unfreeze the invites at any time.`,
    action: t`Freeze invites`,
    successMessage: t`Invites frozen`,
    destructive: true,
    canEnd: true,
    notifies: username,
    run: (input) => imposeRestriction(id, "invite-freeze", input),
  };
}

type Restriction = "suspension" | "invite-freeze";

const imposeRestriction = (userId: string, restriction: Restriction, body: ModerationInput) =>
  api.PUT(`/api/admin/members/{userId}/${restriction}`, { params: { path: { userId } }, body });

const liftRestriction = (userId: string, restriction: Restriction) =>
  api.DELETE(`/api/admin/members/{userId}/${restriction}`, { params: { path: { userId } } });

const roleTexts = {
  member: {
    title: (username: string) => t`Make @${username} a member?`,
    description: msg`They have the rights of every member, and no others.`,
    action: msg`Make member`,
  },
  moderator: {
    title: (username: string) => t`Make @${username} a moderator?`,
    description: msg`They see all reports, remove posts, suspend members and freeze invites.`,
    action: msg`Make moderator`,
  },
  admin: {
    title: (username: string) => t`Make @${username} an admin?`,
    description: msg`They can do everything, including giving roles and reading the audit log. Only the operator of the server can undo this.`,
    action: msg`Make admin`,
  },
} as const;

export function createChangeRoleAction({ id, username }: AdminUser, role: Role): ModerationAction {
  const params = { path: { userId: id } };
  return {
    title: roleTexts[role].title(username),
    description: t(roleTexts[role].description),
    action: t(roleTexts[role].action),
    successMessage: `@${username}: ${t(roleLabels[role])}`,
    run: ({ note }) =>
      api.PUT("/api/admin/members/{userId}/role", { params, body: { role, note } }),
  };
}
