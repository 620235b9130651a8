import { afterEach, expect, test } from "vitest";
import { discardPreservedInput } from "@/components/use-preserved-input";
import { defaultSite, site } from "@/lib/site";
import { network } from "@/test/mock-api/network";
import { renderInApp } from "@/test/render";
import Landing from "./landing";

const initialUrl = location.href;

afterEach(() => {
  discardPreservedInput("login");
  history.replaceState(null, "", initialUrl);
  site.set(defaultSite);
});

// proves: group-links
test("an invite link opens the sign-up form with its code", async () => {
  network.viewer = null;
  history.replaceState(null, "", "/?invite=abcd2345efgh");
  const screen = await renderInApp(<Landing />);
  await expect.element(screen.getByLabelText("Invite code")).toHaveValue("ABCD2345EFGH");
  await screen.getByRole("button", { name: "Close" }).click();
  await expect.element(screen.getByLabelText("Invite code")).not.toBeInTheDocument();
  expect(location.search).toBe("");
});

// proves: identity-landing, identity-links, identity-app
test("the landing page shows the operator's texts and links the pages that are written", async () => {
  network.viewer = null;
  site.set({
    ...defaultSite,
    name: "Lakeside",
    headline: "All around the lake",
    tagline: "Wet feet.",
    contact: "ada@lake.example",
    pages: ["rules", "imprint"],
  });
  const screen = await renderInApp(<Landing />);
  await expect
    .element(screen.getByRole("heading", { level: 1 }))
    .toHaveTextContent("All around the lake");
  await expect.element(screen.getByText("Wet feet.", { exact: true })).toBeVisible();
  await expect.element(screen.getByRole("img", { name: "Lakeside" })).toBeVisible();
  for (const [name, path] of [
    ["Rules", "/rules"],
    ["Terms", "/terms"],
    ["Privacy", "/privacy"],
    ["Imprint", "/imprint"],
    ["Contact", "mailto:ada@lake.example"],
  ] as const) {
    await expect.element(screen.getByRole("link", { name })).toHaveAttribute("href", path);
  }
});

// proves: identity-landing
test("without texts of the operator the landing page is the built-in one", async () => {
  network.viewer = null;
  const screen = await renderInApp(<Landing />);
  await expect
    .element(screen.getByRole("heading", { level: 1 }))
    .toHaveTextContent("The human network");
  await expect.element(screen.getByRole("link")).not.toBeInTheDocument();
});

// proves: registration-landing
test("while registration is closed, a sentence replaces the form of the waitlist", async () => {
  network.viewer = null;
  const open = await renderInApp(<Landing />);
  await expect.element(open.getByRole("button", { name: "Join waitlist" })).toBeVisible();
  await open.unmount();
  site.set({ ...defaultSite, registration: "closed" });
  const closed = await renderInApp(<Landing />);
  await expect.element(closed.getByText("Registration is closed for now.")).toBeVisible();
  await expect
    .element(closed.getByRole("button", { name: "Join waitlist" }))
    .not.toBeInTheDocument();
  await expect.element(closed.getByRole("button", { name: "Login" })).toBeVisible();
});
