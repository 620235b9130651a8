import { afterEach, expect, test } from "vitest";
import { defaultSite, site } from "@/lib/site";
import { renderInApp } from "@/test/render";
import { TopBar } from "./mobile-nav";

afterEach(() => site.set(defaultSite));

// proves: identity-links, identity-app
test("the menu of small screens links the pages about the network", async () => {
  site.set({ ...defaultSite, name: "Lakeside", pages: ["rules"] });
  const screen = await renderInApp(<TopBar />);
  await expect.element(screen.getByRole("link", { name: "Lakeside, home" })).toBeVisible();
  await screen.getByRole("button", { name: "Open menu" }).click();
  const menu = screen.getByRole("dialog", { name: "Menu" });
  await expect.element(menu.getByRole("link", { name: "Rules" })).toHaveAttribute("href", "/rules");
  await expect.element(menu.getByRole("link", { name: "Terms" })).toBeVisible();
  await expect.element(menu.getByRole("link", { name: "Imprint" })).not.toBeInTheDocument();
});
