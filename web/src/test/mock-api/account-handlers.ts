import type { Notification } from "@/api/types";
import { getViewer, network } from "./network";
import { hoursAgo, nextId } from "./records";
import { errorBody, http, paginate } from "./typed-http";

const DELETION_HOURS = 7 * 24;
const INVITE_HOURS = 30 * 24;

function markRead(isRead: (row: Notification) => boolean): void {
  const marked = network.notifications.filter(isRead);
  for (const row of marked) row.isRead = true;
  getViewer().unreadNotificationCount = network.notifications.filter((row) => !row.isRead).length;
}

const notificationHandlers = [
  http.get("/api/notifications", (info) => {
    const isListed = ({ type }: Notification) =>
      info.query.get("filter") !== "conversation" || type === "reply" || type === "mention";
    return info.response(200).json(...paginate(info, network.notifications.filter(isListed)));
  }),
  http.put("/api/notifications/read", async ({ request, response }) => {
    const { ids } = await request.json();
    markRead(({ id }) => ids.includes(id));
    return response(204).empty();
  }),
  http.get("/api/notifications/settings", ({ response }) =>
    response(200).json(network.notificationSettings),
  ),
  http.put("/api/notifications/settings", async ({ request, response }) => {
    const changes = Object.entries(await request.json()).filter(([, value]) => value !== null);
    network.notificationSettings = {
      ...network.notificationSettings,
      ...Object.fromEntries(changes),
    };
    return response(200).json(network.notificationSettings);
  }),
  http.put("/api/notifications/quiet-hours", async ({ request, response }) => {
    network.notificationSettings.quietHours = await request.json();
    return response(204).empty();
  }),
  http.delete("/api/notifications/quiet-hours", ({ response }) => {
    network.notificationSettings.quietHours = null;
    return response(204).empty();
  }),
  http.get("/api/push", ({ response }) => response(200).json(network.push)),
  http.put("/api/push/subscription", async ({ request, response }) => {
    const { endpoint, showsText } = await request.json();
    network.push.subscription = { endpoint, showsText };
    return response(204).empty();
  }),
  http.delete("/api/push/subscription", ({ response }) => {
    network.push.subscription = null;
    return response(204).empty();
  }),
  http.post("/api/push/test", ({ response }) =>
    network.push.subscription
      ? response(204).empty()
      : response(409).json(errorBody("Push is off in this browser.")),
  ),
  http.put("/api/notifications/read-all", ({ response }) => {
    markRead(() => true);
    return response(204).empty();
  }),
];

const inviteHandlers = [
  http.get("/api/invites", (info) => info.response(200).json(...paginate(info, network.invites))),
  http.post("/api/invites", ({ response }) => {
    const viewer = getViewer();
    if (viewer.invitesAvailable === 0) {
      return response(409).json(errorBody("You have no invites left."));
    }
    viewer.invitesAvailable -= 1;
    const id = nextId();
    const invite = {
      id,
      code: `MOCK2345${id}`.slice(0, 12),
      createdAt: hoursAgo(0),
      expiresAt: hoursAgo(-INVITE_HOURS),
      isUsed: false,
      usedAt: null,
      usedBy: null,
    };
    network.invites.unshift(invite);
    return response(201).json(invite);
  }),
  http.delete("/api/invites/{id}", ({ params, response }) => {
    network.invites = network.invites.filter(({ id }) => id !== params.id);
    getViewer().invitesAvailable += 1;
    return response(204).empty();
  }),
  http.post("/api/waitlist", ({ response }) =>
    response(200).json({ message: "You are on the waitlist." }),
  ),
  http.get("/api/waitlist/vouches", (info) =>
    info.response(200).json(...paginate(info, network.vouches)),
  ),
  http.post("/api/waitlist/vouches", async ({ request, response }) => {
    const { email } = await request.json();
    const vouch = { id: nextId(), email, createdAt: hoursAgo(0) };
    network.vouches.unshift(vouch);
    return response(200).json(vouch);
  }),
  http.delete("/api/waitlist/vouches/{id}", ({ params, response }) => {
    network.vouches = network.vouches.filter(({ id }) => id !== params.id);
    return response(204).empty();
  }),
];

/** Notifications, invites, the account, its export and its deletion, and reports. */
export const accountHandlers = [
  ...notificationHandlers,
  ...inviteHandlers,
  http.post("/api/client-errors", ({ response }) => response(204).empty()),
  http.get("/api/account", ({ response }) => {
    const { email, deletionAt } = getViewer();
    const deletion = deletionAt ? { deleteAt: deletionAt } : null;
    return response(200).json({ email, pendingEmail: null, deletion, language: null });
  }),
  http.post("/api/account/email", ({ response }) =>
    response(200).json({ message: "Check both emails." }),
  ),
  http.put("/api/account/language", ({ response }) => response(204).empty()),
  http.delete("/api/account/email", ({ response }) => response(204).empty()),
  http.post("/api/account/deletion", async ({ request, response }) => {
    const viewer = getViewer();
    const { username } = await request.json();
    if (username !== viewer.username) {
      return response(422).json(errorBody("That is not your username."));
    }
    viewer.deletionAt = hoursAgo(-DELETION_HOURS);
    return response(200).json({ deleteAt: viewer.deletionAt });
  }),
  http.delete("/api/account/deletion", ({ response }) => {
    getViewer().deletionAt = null;
    return response(204).empty();
  }),
  http.get("/api/account/export", ({ response }) => response(200).json(network.dataExport)),
  http.post("/api/account/export", ({ response }) => {
    network.dataExport = { ...network.dataExport, state: "waiting", createdAt: hoursAgo(0) };
    return response(202).json(network.dataExport);
  }),
  http.post("/api/reports", async ({ request, response }) => {
    const { reason, note } = await request.json();
    return response(200).json({ id: nextId(), reason, note: note ?? "", createdAt: hoursAgo(0) });
  }),
];
