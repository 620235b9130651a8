import type { ModerationNotice } from "@/api/types";
import { getViewer, network } from "./network";
import { makeObjection, toAdminUser } from "./notice-records";
import { hoursAgo } from "./records";
import { errorBody, http, NOT_FOUND, paginate } from "./typed-http";

/** Adds an objection to a notice; null if it has one. */
function object(notice: ModerationNotice, text: string): ModerationNotice | null {
  if (notice.objection) return null;
  notice.objection = makeObjection({ text, createdAt: hoursAgo(0) });
  return notice;
}

const ALREADY_OBJECTED = errorBody("You have already objected to this decision.");
/** The only token of a mailed link that works. */
const NOTICE_TOKEN = "mock";

const findNotice = (id: unknown) => network.notices.find((notice) => notice.id === id);
const findLinkedNotice = (token: string) =>
  token === NOTICE_TOKEN ? network.linkedNotice : undefined;

const noticeHandlers = [
  http.get("/api/moderation-notices", ({ response }) => response(200).json(network.notices)),
  http.post("/api/moderation-notices/read", ({ response }) => {
    getViewer().unreadNotices = 0;
    return response(204).empty();
  }),
  http.post("/api/moderation-notices/by-link", async ({ request, response }) => {
    const notice = findLinkedNotice((await request.json()).token);
    return notice ? response(200).json(notice) : response(404).json(NOT_FOUND);
  }),
  http.post("/api/moderation-notices/by-link/objection", async ({ request, response }) => {
    const { token, text } = await request.json();
    const notice = findLinkedNotice(token);
    if (!notice) return response(404).json(NOT_FOUND);
    const changed = object(notice, text);
    return changed ? response(200).json(changed) : response(409).json(ALREADY_OBJECTED);
  }),
  http.post("/api/moderation-notices/{id}/objection", async ({ params, request, response }) => {
    const notice = findNotice(params.id);
    if (!notice) return response(404).json(NOT_FOUND);
    const changed = object(notice, (await request.json()).text);
    return changed ? response(200).json(changed) : response(409).json(ALREADY_OBJECTED);
  }),
  http.get("/api/reports", ({ response }) => response(200).json(network.sentReports)),
];

/** Lists of moderation, and what moderators do; the member's own notices and reports. */
export const moderationHandlers = [
  ...noticeHandlers,
  http.get("/api/admin/members", (info) =>
    info.response(200).json(...paginate(info, network.users.map(toAdminUser))),
  ),
  http.get("/api/admin/reports", ({ response }) => response(200).json([])),
  http.get("/api/admin/waitlist", ({ response }) => response(200).json([])),
  http.get("/api/admin/audit", ({ response }) => response(200).json([])),
  http.get("/api/admin/objections", ({ response }) => response(200).json(network.objections)),
  http.post("/api/admin/objections/{id}/resolve", ({ params, response }) => {
    network.objections = network.objections.filter(({ id }) => id !== params.id);
    return response(204).empty();
  }),
  http.get("/api/admin/removed-posts", ({ response }) => response(200).json(network.removedPosts)),
  http.put("/api/admin/posts/{id}/removal", ({ params, response }) => {
    network.posts = network.posts.filter(({ id }) => id !== params.id);
    return response(204).empty();
  }),
  http.delete("/api/admin/posts/{id}/removal", ({ params, response }) => {
    network.removedPosts = network.removedPosts.filter(({ id }) => id !== params.id);
    return response(204).empty();
  }),
  http.put("/api/admin/members/{userId}/suspension", ({ response }) => response(204).empty()),
  http.put("/api/admin/members/{userId}/invite-freeze", ({ response }) => response(204).empty()),
];
