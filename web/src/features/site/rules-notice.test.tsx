import { afterEach, expect, test } from "vitest";
import { defaultSite, site } from "@/lib/site";
import { makeCommunity, network, resetNetwork } from "@/test/mock-api/network";
import { renderInApp } from "@/test/render";
import { RulesNotice } from "./rules-notice";

afterEach(() => site.set(defaultSite));

async function renderNotice(rulesVersion: number, acceptedRulesVersion: number) {
  site.set({ ...defaultSite, name: "Lakeside", rulesVersion });
  resetNetwork(makeCommunity({ acceptedRulesVersion, usernameIsProvisional: false }));
  const screen = await renderInApp(<RulesNotice />);
  return { screen, notice: screen.getByRole("region", { name: "Changed rules" }) };
}

// proves: identity-rules-changed
test("changed rules are shown until the member agrees", async () => {
  const { screen, notice } = await renderNotice(3, 2);
  await expect.element(notice).toHaveTextContent("The rules of Lakeside have changed.");
  await expect
    .element(screen.getByRole("link", { name: "rules" }))
    .toHaveAttribute("href", "/rules");
  await screen.getByRole("button", { name: "Agree" }).click();
  await expect.element(notice).not.toBeInTheDocument();
  expect(network.viewer?.acceptedRulesVersion).toBe(3);
});

// proves: identity-rules-changed
test("closed, they are not shown again until they change once more", async () => {
  const { screen, notice } = await renderNotice(1, 0);
  await expect.element(notice).toHaveTextContent("Lakeside has rules now.");
  await screen.getByRole("button", { name: "Not now" }).click();
  await expect.element(notice).not.toBeInTheDocument();
  await screen.unmount();
  const id = network.viewer?.id ?? "";
  const again = await renderInApp(<RulesNotice />);
  await expect
    .element(again.getByRole("region", { name: "Changed rules" }))
    .not.toBeInTheDocument();
  expect(localStorage.getItem(`kith:rules-seen:${id}`)).toBe("1");
  expect(network.viewer?.acceptedRulesVersion).toBe(0);
  site.set({ ...site.get(), rulesVersion: 2 });
  await expect.element(again.getByRole("region", { name: "Changed rules" })).toBeVisible();
});

// proves: identity-rules-changed
test.each([
  [0, 0],
  [2, 2],
])("with version %i, a member who agreed to %i sees nothing", async (version, accepted) => {
  const { notice } = await renderNotice(version, accepted);
  await expect.element(notice).not.toBeInTheDocument();
});
