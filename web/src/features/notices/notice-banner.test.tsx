import { expect, test } from "vitest";
import { makeCommunity, resetNetwork } from "@/test/mock-api/network";
import { renderInApp } from "@/test/render";
import { NoticeBanner } from "./notice-banner";

async function renderBanner(unreadNotices: number) {
  resetNetwork(makeCommunity({ unreadNotices }));
  const screen = await renderInApp(<NoticeBanner />);
  return { screen, banner: screen.getByRole("region", { name: "Notices from the moderators" }) };
}

// proves: notices-banner
test("unread notices are announced and linked, and nothing is said without one", async () => {
  const none = await renderBanner(0);
  await expect.element(none.banner).not.toBeInTheDocument();
  await none.screen.unmount();
  const one = await renderBanner(1);
  await expect.element(one.banner).toHaveTextContent("You have a notice from the moderators");
  await expect
    .element(one.screen.getByRole("link", { name: "Read it" }))
    .toHaveAttribute("href", "/settings/notices");
  await one.screen.unmount();
  const several = await renderBanner(3);
  await expect.element(several.banner).toHaveTextContent("You have 3 notices from the moderators");
  await expect.element(several.screen.getByRole("link", { name: "Read them" })).toBeVisible();
});
