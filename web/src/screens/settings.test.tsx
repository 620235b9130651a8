import { expect, test } from "vitest";
import { makeCommunity, resetNetwork } from "@/test/mock-api/network";
import { renderInApp } from "@/test/render";
import Settings from "./settings";

// proves: settings-notices
test("the settings lead to the notices and say how many are unread", async () => {
  resetNetwork(makeCommunity({ unreadNotices: 2 }));
  const screen = await renderInApp(<Settings />);
  const link = screen.getByRole("link", { name: "Show notices and reports 2 unread" });
  await expect.element(link).toHaveAttribute("href", "/settings/notices");
});
