import { beforeAll, expect, test } from "vitest";
import { loadMemberCatalog } from "@/lib/i18n/catalogs";
import { network } from "@/test/mock-api/network";
import { http } from "@/test/mock-api/typed-http";
import { worker } from "@/test/mock-api/worker";
import { expectToast, renderInApp } from "@/test/render";
import { toAdminUser } from "@/test/mock-api/notice-records";
import { createFreezeInvitesAction, createSuspendAction } from "./moderation-actions";
import { ModerationActionButtons } from "./moderation-action-buttons";

const DAY = 24 * 60 * 60 * 1000;

beforeAll(() => loadMemberCatalog());

/** Renders the buttons for a member, and returns the bodies of the requests that they send. */
async function renderButtons() {
  const [user] = network.users;
  if (!user) throw new Error("The network has no members.");
  const member = toAdminUser(user);
  const bodies: { note?: string | null; until?: string | null }[] = [];
  worker.use(
    http.put("/api/admin/members/{userId}/suspension", async ({ request, response }) => {
      bodies.push(await request.json());
      return response(204).empty();
    }),
    http.put("/api/admin/members/{userId}/invite-freeze", async ({ request, response }) => {
      bodies.push(await request.json());
      return response(204).empty();
    }),
  );
  const actions = [createSuspendAction(member), createFreezeInvitesAction(member)];
  const screen = await renderInApp(<ModerationActionButtons actions={actions} about="@tom" />);
  return { screen, bodies };
}

// proves: sanction-dialog
test("a suspension lasts until it is lifted, unless the moderator chooses days", async () => {
  const { screen, bodies } = await renderButtons();
  await screen.getByRole("button", { name: "Suspend: @tom" }).click();
  const choice = screen.getByRole("combobox", { name: "For how long?" });
  const options = choice.getByRole("option").elements();
  expect(options.map(({ textContent }) => textContent)).toEqual([
    "Until it is lifted",
    "1 day",
    "7 days",
    "30 days",
  ]);
  await screen.getByRole("button", { name: "Suspend", exact: true }).click();
  await expectToast("Member suspended");
  expect(bodies).toEqual([{ note: "" }]);
});

// proves: sanction-dialog
test("a freeze ends after the chosen days", async () => {
  const { screen, bodies } = await renderButtons();
  await screen.getByRole("button", { name: "Freeze invites: @tom" }).click();
  await screen.getByRole("combobox", { name: "For how long?" }).selectOptions("7 days");
  const before = Date.now();
  await screen.getByRole("button", { name: "Freeze invites", exact: true }).click();
  await expect.poll(() => bodies.length).toBe(1);
  const length = Date.parse(bodies[0]?.until ?? "") - before;
  expect(length).toBeGreaterThanOrEqual(7 * DAY);
  expect(length).toBeLessThan(7 * DAY + 60_000);
});
