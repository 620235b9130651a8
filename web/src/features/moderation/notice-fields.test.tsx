import { afterEach, beforeAll, expect, test } from "vitest";
import { loadMemberCatalog } from "@/lib/i18n/catalogs";
import { defaultSite, site } from "@/lib/site";
import { network } from "@/test/mock-api/network";
import { toAdminUser } from "@/test/mock-api/notice-records";
import { errorBody, http } from "@/test/mock-api/typed-http";
import { worker } from "@/test/mock-api/worker";
import { expectToast, renderInApp } from "@/test/render";
import { ModerationActionButtons } from "./moderation-action-buttons";
import {
  createChangeRoleAction,
  createFreezeInvitesAction,
  createSuspendAction,
} from "./moderation-actions";

beforeAll(() => loadMemberCatalog());
afterEach(() => site.set(defaultSite));

function getMember() {
  const [user] = network.users;
  if (!user) throw new Error("The network has no members.");
  return toAdminUser(user);
}

/** Renders the buttons for a member, and returns the bodies of the requests that they send. */
async function renderButtons(rules?: string) {
  if (rules !== undefined) {
    network.settings = { ...network.settings, rules };
    site.set({ ...defaultSite, pages: ["rules"] });
  }
  const member = getMember();
  const bodies: unknown[] = [];
  worker.use(
    http.put("/api/admin/members/{userId}/suspension", async ({ request, response }) => {
      bodies.push(await request.json());
      return response(204).empty();
    }),
  );
  const actions = [
    createSuspendAction(member),
    createFreezeInvitesAction({ ...member, invitesFrozenAt: member.createdAt }),
    createChangeRoleAction(member, "moderator"),
  ];
  const screen = await renderInApp(<ModerationActionButtons actions={actions} about="@jonas" />);
  const suspend = screen.getByRole("button", { name: "Suspend: @jonas" });
  const send = screen.getByRole("button", { name: "Suspend", exact: true });
  const message = screen.getByLabelText("Message to @jonas (optional)");
  const rule = screen.getByLabelText(/^Rule/);
  return { screen, bodies, suspend, send, message, rule };
}

// proves: sanction-notice-fields, sanction-rule-field
test("the notice has one of the network's rules and a message, apart from the note", async () => {
  const { screen, bodies, suspend, send, message, rule } = await renderButtons(
    "We are neighbours.\n\n1. Be **kind**.\n2. No advertising.",
  );
  await suspend.click();
  await expect
    .element(rule.getByRole("option", { name: "2. No advertising." }))
    .toBeInTheDocument();
  const options = rule.getByRole("option").elements();
  expect(options.map(({ textContent }) => textContent)).toEqual([
    "No particular rule",
    "1. Be kind.",
    "2. No advertising.",
  ]);
  await rule.selectOptions("1. Be kind.");
  await expect.element(message).toHaveAccessibleDescription(/^We email it to them\./);
  await message.fill(" Please calm down. ");
  await screen.getByLabelText("Why? (optional, for the audit log)").fill("Asked twice to stop");
  await send.click();
  await expectToast("Member suspended");
  expect(bodies).toEqual([
    { note: "Asked twice to stop", rule: "1. Be kind.", message: "Please calm down." },
  ]);
});

for (const rules of [undefined, "Be kind."]) {
  // proves: sanction-rule-field
  test(`without listed rules (${rules}) the rule is typed`, async () => {
    const { bodies, suspend, send, rule } = await renderButtons(rules);
    await suspend.click();
    await expect.element(rule).toHaveRole("textbox");
    await expect.element(rule).toHaveAttribute("maxlength", "300");
    await rule.fill("Be kind");
    await send.click();
    await expect.poll(() => bodies).toEqual([{ note: "", rule: "Be kind" }]);
  });
}

// proves: sanction-notice-fields
test("a message that is too long is not sent, and the server's sentence is at its field", async () => {
  const { bodies, suspend, send, message } = await renderButtons();
  await suspend.click();
  await message.fill("a".repeat(1_001));
  await expect.element(send).toBeDisabled();
  await message.fill("a".repeat(1_000));
  await expect.element(send).toBeEnabled();
  worker.use(
    http.put("/api/admin/members/{userId}/suspension", ({ response }) =>
      response(422).json(errorBody("Too long.", { message: "Too long." })),
    ),
  );
  await send.click();
  await expect.element(message).toHaveAccessibleDescription(/^Too long\./);
  await expect.element(message).toHaveValue("a".repeat(1_000));
  expect(bodies).toEqual([]);
});

// proves: sanction-notice-fields
test("what undoes an action and what changes a role has no notice", async () => {
  const { screen, message, rule } = await renderButtons();
  for (const name of ["Unfreeze invites: @jonas", "Make moderator: @jonas"]) {
    await screen.getByRole("button", { name }).click();
    await expect.element(screen.getByRole("dialog")).toBeVisible();
    await expect.element(rule).not.toBeInTheDocument();
    await expect.element(message).not.toBeInTheDocument();
    await screen.getByRole("button", { name: "Cancel" }).click();
  }
});

// proves: back-keeps-input
test("Back keeps what was typed into a notice, and Cancel discards it", async () => {
  const { screen, suspend, message, rule } = await renderButtons();
  await suspend.click();
  await rule.fill("Be kind");
  await message.fill("Please calm down.");
  history.back();
  await expect.element(screen.getByRole("dialog")).not.toBeInTheDocument();
  await suspend.click();
  await expect.element(rule).toHaveValue("Be kind");
  await expect.element(message).toHaveValue("Please calm down.");
  await screen.getByRole("button", { name: "Cancel" }).click();
  await suspend.click();
  await expect.element(rule).toHaveValue("");
  await expect.element(message).toHaveValue("");
});
