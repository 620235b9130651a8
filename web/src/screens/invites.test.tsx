import { afterEach, expect, test } from "vitest";
import { defaultSite, site } from "@/lib/site";
import { network } from "@/test/mock-api/network";
import { renderInApp } from "@/test/render";
import Invites from "./invites";

afterEach(() => site.set(defaultSite));

// proves: registration-invites, invites-next-month
test("the page has the network's number and lifetime of invites", async () => {
  network.invites = [];
  const usual = await renderInApp(<Invites />);
  await expect.element(usual.getByText("You get 3 more invites next month.")).toBeVisible();
  await usual.unmount();
  site.set({ ...defaultSite, invitesPerMonth: 1, inviteDays: 30 });
  const changed = await renderInApp(<Invites />);
  await expect.element(changed.getByText("You get 1 more invite next month.")).toBeVisible();
  await expect.element(changed.getByText(/is good for 30 days/)).toBeVisible();
});

// proves: registration-invites
test("while registration is closed, a sentence replaces the number", async () => {
  site.set({ ...defaultSite, registration: "closed" });
  const screen = await renderInApp(<Invites />);
  await expect.element(screen.getByText("Registration is closed", { exact: true })).toBeVisible();
  await expect.element(screen.getByText(/more invites? next month/)).not.toBeInTheDocument();
});
