import { expect, test } from "vitest";
import { createDeferred } from "@/test/deferred";
import { network } from "@/test/mock-api/network";
import { makeNotification } from "@/test/mock-api/records";
import { errorBody, http } from "@/test/mock-api/typed-http";
import { worker } from "@/test/mock-api/worker";
import { expectToast, renderInApp } from "@/test/render";
import Notifications from "./notifications";

/** Renders the network's notifications: two unread likes of one post, and a follow that was read. */
async function renderNotifications() {
  const screen = await renderInApp(<Notifications />);
  const heading = screen.getByRole("heading", { name: /^Notifications/ });
  const likes = screen.getByRole("link", { name: /liked your post/ });
  await expect.element(likes).toBeVisible();
  return { screen, heading, likes, markAll: screen.getByRole("button", { name: /^Mark all/ }) };
}

/** Notes the ids that are marked as read. */
function recordRequests(): string[][] {
  const requests: string[][] = [];
  worker.use(
    http.put("/api/notifications/read", async ({ request }) => {
      requests.push((await request.clone().json()).ids);
    }),
  );
  return requests;
}

// proves: notifications-grouped, notifications-group-texts, notifications-group-click
test("the likes of a post are one row, which is read by one click", async () => {
  const requests = recordRequests();
  const { screen, heading, likes } = await renderNotifications();
  await expect.element(likes).toHaveTextContent(/Unread: Jonas Weber and Ines Costa liked/);
  await expect.element(heading).toHaveTextContent("2");
  await expect.element(screen.getByRole("link", { name: /Tom Reed followed you/ })).toBeVisible();
  const [first, second] = network.notifications;
  await likes.click();
  await expect.element(likes).not.toHaveTextContent("Unread");
  await expect.element(heading).not.toHaveTextContent("2");
  await expect.poll(() => requests).toEqual([[first?.id, second?.id]]);
  expect(screen.history.at(-1)).toBe(`/post/${first?.post?.id}`);
  await expect.poll(() => network.viewer?.unreadNotificationCount).toBe(0);
  await likes.click();
  expect(requests).toHaveLength(1);
});

test("three and more members are counted", async () => {
  const post = network.notifications[0]?.post ?? null;
  for (const actor of network.users.slice(2)) {
    network.notifications.splice(2, 0, makeNotification("like", actor, { post, isRead: true }));
  }
  const { likes } = await renderNotifications();
  await expect.element(likes).toHaveTextContent(/Jonas Weber, Ines Costa and 2 others liked/);
});

test("a row is read before the server responds, and unread again if that fails", async () => {
  const { heading, likes } = await renderNotifications();
  const { promise, resolve } = createDeferred();
  worker.use(
    http.put("/api/notifications/read", async ({ response }) => {
      await promise;
      return response(503).json(errorBody(""));
    }),
  );
  await likes.click();
  await expect.element(likes).not.toHaveTextContent("Unread");
  await expect.element(heading).not.toHaveTextContent("2");
  resolve();
  await expect.element(likes).toHaveTextContent(/^.*Unread: Jonas Weber/);
  await expect.element(heading).toHaveTextContent("2");
});

// proves: notifications-mark-all, notifications-mark-all-done
test("all are marked as read by one button, which then goes", async () => {
  const { heading, likes, markAll } = await renderNotifications();
  await markAll.click();
  await expectToast("All notifications marked as read");
  await expect.element(likes).not.toHaveTextContent("Unread");
  await expect.element(heading).not.toHaveTextContent("2");
  await expect.element(markAll).not.toBeInTheDocument();
  expect(network.notifications.every(({ isRead }) => isRead)).toBe(true);
});

// proves: notifications-mark-all-failed
test("if that fails, they stay unread", async () => {
  worker.use(
    http.put("/api/notifications/read-all", ({ response }) => response(503).json(errorBody(""))),
  );
  const { likes, markAll } = await renderNotifications();
  await markAll.click();
  await expectToast("Error", "Failed to mark notifications as read.");
  await expect.element(likes).toHaveTextContent("Unread");
  await expect.element(markAll).toBeEnabled();
});
