import { afterEach, expect, test } from "vitest";
import { userEvent } from "vitest/browser";
import { discardPreservedInput } from "@/components/use-preserved-input";
import { defaultSite, site } from "@/lib/site";
import { network } from "@/test/mock-api/network";
import { errorBody, http } from "@/test/mock-api/typed-http";
import { worker } from "@/test/mock-api/worker";
import { expectToast, renderInApp } from "@/test/render";
import { SiteSettingsTab } from "./site-settings";

afterEach(() => {
  discardPreservedInput("site-settings");
  site.set(defaultSite);
});

async function renderSettings() {
  const screen = await renderInApp(<SiteSettingsTab />);
  const field = (label: string) => screen.getByLabelText(label, { exact: true });
  await expect.element(field("Invites per member and month")).toHaveValue("3");
  return { field, save: screen.getByRole("button", { name: /^Sav/ }) };
}

// proves: registration-form
test("registration is closed, and invites, limits and topics are set", async () => {
  const { field, save } = await renderSettings();
  await userEvent.selectOptions(field("Who can join"), "closed");
  await userEvent.fill(field("Invites per member and month"), " 10 ");
  await userEvent.fill(field("Days for which an invite works"), "30");
  await userEvent.fill(field("Days for which members are new"), "7");
  await userEvent.fill(field("Posts of a new member a day"), "");
  await userEvent.fill(field("Follows of a new member a day"), "5");
  await userEvent.fill(field("Pinned topics"), "Roses: Beds\n\n #Tea :Drinks: hot");
  await save.click();
  await expectToast("Settings saved");
  expect(network.settings).toMatchObject({
    name: defaultSite.name,
    registration: "closed",
    invitesPerMonth: 10,
    inviteDays: 30,
    newMemberDays: 7,
    newMemberPosts: 20,
    newMemberFollows: 5,
    pinnedTopics: [
      { tag: "Roses", category: "Beds" },
      { tag: "#Tea", category: "Drinks: hot" },
    ],
  });
  expect(site.get()).toMatchObject({ registration: "closed", invitesPerMonth: 10, inviteDays: 30 });
  await expect.element(field("Posts of a new member a day")).toHaveValue("20");
});

// proves: registration-form
test("what is no number is not sent, and an error of the server is at its field", async () => {
  const { field, save } = await renderSettings();
  await userEvent.fill(field("Days for which an invite works"), "a week");
  await save.click();
  await expectToast("Not a number", "Please enter a whole number.");
  await expect.element(field("Days for which an invite works")).toHaveFocus();
  await userEvent.fill(field("Days for which an invite works"), "91");
  const sentence = "Please enter a number from 1 to 90.";
  worker.use(
    http.put("/api/admin/settings", ({ response }) =>
      response(422).json(errorBody(sentence, { inviteDays: sentence })),
    ),
  );
  await save.click();
  await expect
    .element(field("Days for which an invite works"))
    .toHaveAccessibleDescription(sentence);
});
