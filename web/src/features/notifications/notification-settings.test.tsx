import { expect, test } from "vitest";
import { network } from "@/test/mock-api/network";
import { errorBody, http } from "@/test/mock-api/typed-http";
import { worker } from "@/test/mock-api/worker";
import { expectToast, renderInApp } from "@/test/render";
import { NotificationSettings } from "./notification-settings";

// proves: settings-notifications
test("each type has a choice of members and of pushes", async () => {
  const screen = await renderInApp(<NotificationSettings />);
  const likes = screen.getByRole("combobox", { name: "Likes from" });
  const pushed = screen.getByRole("checkbox", { name: "Push: Likes" });
  await expect.element(likes).toHaveValue("everyone");
  await likes.selectOptions("People you follow");
  await pushed.click();
  await expect
    .poll(() => network.notificationSettings.like)
    .toEqual({ from: "following", push: true });
  await expect.element(pushed).toBeChecked();
  await likes.selectOptions("No one");
  await expect.element(pushed).toBeDisabled();
  // The other types remain as they were.
  expect(network.notificationSettings.reply).toEqual({ from: "everyone", push: true });
});

// proves: settings-notifications-failed
test("a change that the server rejects is taken back", async () => {
  worker.use(
    http.put("/api/notifications/settings", ({ response }) =>
      response(429).json(errorBody("You're doing that too often.")),
    ),
  );
  const screen = await renderInApp(<NotificationSettings />);
  const follows = screen.getByRole("combobox", { name: "Follows from" });
  await expect.element(follows).toHaveValue("everyone");
  await follows.selectOptions("No one");
  await expectToast("Error", "You're doing that too often.");
  await expect.element(follows).toHaveValue("everyone");
});

// proves: settings-notifications-failed
test("push settings that do not load say so and can be loaded again", async () => {
  worker.use(
    http.get("/api/push", ({ response }) => response(503).json(errorBody("Busy right now."))),
  );
  const screen = await renderInApp(<NotificationSettings />);
  await expect.element(screen.getByText("Busy right now.")).toBeVisible();
  worker.resetHandlers();
  await screen.getByRole("button", { name: "Retry" }).click();
  const push = screen.getByRole("checkbox", { name: "Push notifications on this device" });
  await expect.element(push).toBeEnabled();
});

// proves: settings-digest
test("the weekly email is turned on and off", async () => {
  const screen = await renderInApp(<NotificationSettings />);
  const digest = screen.getByRole("checkbox", { name: /^A weekly email/ });
  await expect.element(digest).not.toBeChecked();
  await digest.click();
  await expect.poll(() => network.notificationSettings.weeklyDigest).toBe(true);
  await expect.element(digest).toBeChecked();
  await digest.click();
  await expect.poll(() => network.notificationSettings.weeklyDigest).toBe(false);
});

// proves: settings-quiet-hours
test("quiet hours are saved once a time is complete", async () => {
  const screen = await renderInApp(<NotificationSettings />);
  const quiet = screen.getByRole("checkbox", { name: /^Quiet hours/ });
  await quiet.click();
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  const hours = { from: "22:00", until: "07:00", timeZone };
  await expect.poll(() => network.notificationSettings.quietHours).toEqual(hours);
  const from = screen.getByLabelText("Quiet from");
  await from.fill("23:15");
  expect(network.notificationSettings.quietHours).toEqual(hours);
  await quiet.element().focus();
  await expect
    .poll(() => network.notificationSettings.quietHours)
    .toEqual({ ...hours, from: "23:15" });
  await quiet.click();
  await expect.poll(() => network.notificationSettings.quietHours).toBe(null);
  await expect.element(from).not.toBeInTheDocument();
});
