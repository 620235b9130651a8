import { endMeasure, sendDecision, sendRole, takeMeasure } from "@/api/moderation";
import type { Case, MemberRecord, Role } from "@/api/types";
import { type Deed, removalOf } from "@/ui/deed-dialog";
import { roleNames } from "./member";

export function dismissal(reported: Case): Deed {
  return {
    title: "Dismiss these reports?",
    description:
      "Nothing happens to the post or its author, and the reports are closed. New reports of it open a new case.",
    action: "Dismiss",
    done: "Reports dismissed",
    run: (note) => sendDecision(reported, "dismiss", note),
  };
}

export function removal(reported: Case): Deed {
  return removalOf(reported.member.username, (note) => sendDecision(reported, "remove", note));
}

export function suspensionByCase(reported: Case): Deed {
  const suspend = suspension({ ...reported.member, suspendedAt: null });
  return {
    ...suspend,
    description: `${suspend.description} The reports are closed.`,
    run: (note) => sendDecision(reported, "suspend", note),
  };
}

export function suspension({ id, username, suspendedAt }: MemberRecord): Deed {
  if (suspendedAt) {
    return {
      title: `Let @${username} in again?`,
      description: "The suspension ends, and they can log in.",
      action: "Lift suspension",
      done: "Suspension lifted",
      isUndo: true,
      run: () => endMeasure(id, "suspension"),
    };
  }
  return {
    title: `Suspend @${username}?`,
    description: `@${username} is logged out everywhere at once and cannot log in. You can lift the suspension at any time.`,
    action: "Suspend",
    done: "Member suspended",
    isGrave: true,
    run: (note) => takeMeasure(id, "suspension", note),
  };
}

export function freeze({ id, username, invitesFrozenAt }: MemberRecord): Deed {
  if (invitesFrozenAt) {
    return {
      title: `Unfreeze the invites of @${username}?`,
      description: "Their unused codes work again until they expire, and they can make new ones.",
      action: "Unfreeze invites",
      done: "Invites unfrozen",
      isUndo: true,
      run: () => endMeasure(id, "invite-freeze"),
    };
  }
  return {
    title: `Freeze the invites of @${username}?`,
    description:
      "Nobody can join with their codes, and they cannot make new ones. You can unfreeze them at any time.",
    action: "Freeze invites",
    done: "Invites frozen",
    isGrave: true,
    run: (note) => takeMeasure(id, "invite-freeze", note),
  };
}

const rights = {
  member: "They have the rights of every member, and no others.",
  moderator: "They see all reports, remove posts, suspend members and freeze invites.",
  admin:
    "They can do everything, also give roles and read the audit log. Only whoever runs the server can take that back.",
} as const;

export function promotion({ id, username }: MemberRecord, role: Role): Deed {
  return {
    title: `Make @${username} ${role === "admin" ? "an" : "a"} ${role}?`,
    description: rights[role],
    action: `Make ${role}`,
    done: `@${username}: ${roleNames[role]}`,
    run: (note) => sendRole(id, role, note),
  };
}
