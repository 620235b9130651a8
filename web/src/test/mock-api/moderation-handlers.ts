import type { AdminUser, User } from "@/api/types";
import { network } from "./network";
import { toSummary } from "./records";
import { http, paginate } from "./typed-http";

/** A member of the invented network as moderators see them. */
export function toAdminUser(user: User): AdminUser {
  const { createdAt, invitedBy, suspendedAt } = user;
  const admin = {
    role: "member",
    createdAt,
    invitedBy,
    suspendedAt,
    invitesFrozenAt: null,
    suspendedUntil: null,
    invitesFrozenUntil: null,
  } as const;
  return { ...toSummary(user), ...admin };
}

/** Empty lists of moderation, and the members. */
export const moderationHandlers = [
  http.get("/api/admin/members", (info) =>
    info.response(200).json(...paginate(info, network.users.map(toAdminUser))),
  ),
  http.get("/api/admin/reports", ({ response }) => response(200).json([])),
  http.get("/api/admin/waitlist", ({ response }) => response(200).json([])),
  http.get("/api/admin/audit", ({ response }) => response(200).json([])),
];
