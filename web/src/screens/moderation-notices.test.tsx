import { beforeAll, expect, test } from "vitest";
import { queryClient } from "@/api/query-client";
import { queryKeys } from "@/api/query-keys";
import type { Me } from "@/api/types";
import { loadMemberCatalog } from "@/lib/i18n/catalogs";
import { makeCommunity, network, resetNetwork } from "@/test/mock-api/network";
import { makeNotice, makeObjection } from "@/test/mock-api/notice-records";
import { errorBody, http } from "@/test/mock-api/typed-http";
import { worker } from "@/test/mock-api/worker";
import { expectToast, renderInApp } from "@/test/render";
import ModerationNotices from "./moderation-notices";

beforeAll(() => loadMemberCatalog());

const getMe = () => queryClient.getQueryData<Me>(queryKeys.currentUser);

async function renderScreen() {
  const screen = await renderInApp(<ModerationNotices />, "/settings/notices");
  const notices = screen.getByRole("list", { name: "Notices" }).getByRole("listitem");
  const reports = screen.getByRole("list", { name: "Your reports" }).getByRole("listitem");
  return { screen, notices, reports };
}

// proves: notices-opened
test("opening the page marks everything as read", async () => {
  resetNetwork(makeCommunity({ unreadNotices: 2 }));
  const { notices } = await renderScreen();
  await expect.element(notices.first()).toBeVisible();
  await expect.poll(() => network.viewer?.unreadNotices).toBe(0);
  await expect.poll(() => getMe()?.unreadNotices).toBe(0);
});

// proves: notices-opened
test("notices that could not be fetched stay unread", async () => {
  resetNetwork(makeCommunity({ unreadNotices: 2 }));
  worker.use(
    http.get("/api/moderation-notices", ({ response }) => response(500).json(errorBody("Broken."))),
  );
  const { screen, reports } = await renderScreen();
  await expect.element(screen.getByText("Broken.")).toBeVisible();
  await expect.element(reports.first()).toBeVisible();
  expect(network.viewer?.unreadNotices).toBe(2);
});

// proves: notices-list
test("a notice says what was decided, and why", async () => {
  const { notices } = await renderScreen();
  const removal = notices.first();
  await expect.element(removal.getByRole("heading")).toHaveTextContent("Your post was removed");
  await expect.element(removal).toHaveTextContent("2. No advertising, also not in replies.");
  await expect.element(removal).toHaveTextContent("Please don't offer things for sale here.");
  await expect.element(removal).toHaveTextContent("Sourdough starters, 5 each. Write to me!");
  const old = notices.nth(2);
  await expect.element(old).toHaveTextContent("The text is deleted after 30 days.");
  await expect.element(old).toHaveTextContent("It was the third time this week.");
  await expect.element(notices.nth(3)).toHaveTextContent("The moderators gave no reason.");
});

// proves: notices-object, notices-objection-state
test("a member objects once, and sees that it is reviewed", async () => {
  network.notices = [makeNotice()];
  const { screen, notices } = await renderScreen();
  await screen.getByRole("button", { name: "Object: Your post was removed" }).click();
  const send = screen.getByRole("button", { name: "Send objection" });
  await expect.element(send).toBeDisabled();
  await screen.getByLabelText("Why is the decision wrong?").fill("  It was a gift.  ");
  await send.click();
  await expectToast("Objection sent", "Another moderator will look at it.");
  expect(network.notices[0]?.objection?.text).toBe("It was a gift.");
  await expect.element(notices).toHaveTextContent("It was a gift.");
  await expect.element(notices).toHaveTextContent("Your objection is being reviewed.");
  await expect.element(screen.getByRole("button", { name: /^Object/ })).not.toBeInTheDocument();
});

// proves: notices-object
test("a rejected objection keeps its text, and a second one says that there was one", async () => {
  network.notices = [makeNotice()];
  worker.use(
    http.post("/api/moderation-notices/{id}/objection", ({ response }) => {
      const sentence = "An objection can have at most 1,000 characters.";
      return response(422).json(errorBody(sentence, { text: sentence }));
    }),
  );
  const { screen } = await renderScreen();
  await screen.getByRole("button", { name: /^Object/ }).click();
  const text = screen.getByLabelText("Why is the decision wrong?");
  await text.fill("It was a gift.");
  await screen.getByRole("button", { name: "Send objection" }).click();
  await expect.element(text).toHaveAccessibleDescription(/at most 1,000 characters/);
  await expect.element(text).toHaveValue("It was a gift.");
  worker.resetHandlers();
  // Meanwhile the member has objected on another device.
  network.notices = network.notices.map((it) => ({ ...it, objection: makeObjection() }));
  await screen.getByRole("button", { name: "Send objection" }).click();
  await expectToast("Error", "You have already objected to this decision.");
  await expect.element(screen.getByRole("dialog")).not.toBeInTheDocument();
  await expect.element(screen.getByText("Your objection is being reviewed.")).toBeVisible();
});

// proves: notices-object
test("there is nothing to object to once a decision no longer applies", async () => {
  network.notices = [makeNotice({ liftedAt: "2026-11-20T09:30:00.000Z" })];
  const { screen, notices } = await renderScreen();
  await expect.element(notices).toHaveTextContent("Restored on");
  await expect.element(screen.getByRole("button", { name: /^Object/ })).not.toBeInTheDocument();
});

// proves: notices-reports
test("each report says what became of it", async () => {
  const { reports } = await renderScreen();
  const [waiting, acted, rejected] = [reports.first(), reports.nth(1), reports.nth(2)];
  await expect.element(waiting).toHaveTextContent("Post by @tom");
  await expect.element(waiting).toHaveTextContent("Spam: The tenth one today");
  await expect.element(waiting).toHaveTextContent("A moderator will look at it.");
  await expect.element(acted).toHaveTextContent("@aiko");
  await expect.element(acted).toHaveTextContent("The moderators took action.");
  await expect.element(rejected).toHaveTextContent("Post by a deleted member");
  await expect
    .element(rejected)
    .toHaveTextContent("The moderators found no violation of the rules.");
});

// proves: notices-empty
test("without notices and reports the page says so", async () => {
  network.notices = [];
  network.sentReports = [];
  const { screen } = await renderScreen();
  await expect.element(screen.getByText("The moderators haven't sent you a notice.")).toBeVisible();
  await expect.element(screen.getByText("You haven't reported anything.")).toBeVisible();
});
