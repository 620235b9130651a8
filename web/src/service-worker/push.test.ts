import { expect, it, vi } from "vitest";
import { openNotification, readMessage, showPush } from "./push";

it("reads what the server sends", () => {
  const text = JSON.stringify({ title: "Ben replied to you", body: "Yes", path: "/post/7" });
  expect(readMessage(text)).toEqual({ title: "Ben replied to you", body: "Yes", path: "/post/7" });
});

it.each(["", "{", "null", JSON.stringify({ path: "https://other.example/" }), '{"path":"//x"}'])(
  "leads to the notifications for %j",
  (text) => {
    expect(readMessage(text)).toEqual({ title: "", body: "", path: "/notifications" });
  },
);

it("replaces the notification before", async () => {
  const showNotification = vi.fn();
  const registration = { showNotification } as unknown as ServiceWorkerRegistration;
  await showPush(registration, JSON.stringify({ title: "Hi", body: "", path: "/post/7" }));
  expect(showNotification).toHaveBeenCalledExactlyOnceWith(
    "Hi",
    expect.objectContaining({ tag: "kith", data: { path: "/post/7" } }),
  );
});

const notification = { close: vi.fn(), data: { path: "/post/7" } } as unknown as Notification;

it("opens its page in an open window", async () => {
  const navigate = vi.fn();
  const window = { focus: () => Promise.resolve({ navigate }) };
  const clients = { matchAll: () => Promise.resolve([window]), openWindow: vi.fn() };
  await openNotification(clients as unknown as Clients, notification);
  expect(navigate).toHaveBeenCalledExactlyOnceWith("/post/7");
  expect(clients.openWindow).not.toHaveBeenCalled();
});

it("opens a window for its page if none is open", async () => {
  const clients = { matchAll: () => Promise.resolve([]), openWindow: vi.fn() };
  await openNotification(clients as unknown as Clients, notification);
  expect(clients.openWindow).toHaveBeenCalledExactlyOnceWith("/post/7");
});
