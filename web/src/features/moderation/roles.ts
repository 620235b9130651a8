import type { Role } from "@/api/types";

/** The roles by rising rights, as they are called. */
export const roleNames = { member: "Member", moderator: "Moderator", admin: "Admin" } as const;

const ranks = { member: 0, moderator: 1, admin: 2 } as const;

/** Whether somebody of the first role may act on somebody of the second one. */
export function isAbove(role: Role, other: Role): boolean {
  return ranks[role] > ranks[other];
}
