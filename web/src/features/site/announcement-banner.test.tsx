import { expect, test } from "vitest";
import { makeCommunity, network, resetNetwork } from "@/test/mock-api/network";
import { renderInApp } from "@/test/render";
import { AnnouncementBanner } from "./announcement-banner";

async function renderBanner(version: number) {
  const announcement = { text: "We meet on Friday.\nBring cake.", version };
  resetNetwork(makeCommunity({ id: "7", announcement }));
  const screen = await renderInApp(<AnnouncementBanner />);
  return { screen, banner: screen.getByRole("region", { name: "Announcement" }) };
}

// proves: announcement-banner
test("an announcement is shown until it is closed, and a new one again", async () => {
  const { screen, banner } = await renderBanner(1);
  await expect.element(banner).toHaveTextContent("We meet on Friday.");
  await screen.getByRole("button", { name: "Close the announcement" }).click();
  await expect.element(banner).not.toBeInTheDocument();
  await screen.unmount();
  const again = await renderBanner(1);
  await expect.element(again.screen.container).toBeInTheDocument();
  await expect.element(again.banner).not.toBeInTheDocument();
  await again.screen.unmount();
  await expect.element((await renderBanner(2)).banner).toBeVisible();
  expect(network.viewer?.announcement?.version).toBe(2);
});
