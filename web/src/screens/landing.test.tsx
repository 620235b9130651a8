import { afterEach, expect, test } from "vitest";
import { discardPreservedInput } from "@/components/use-preserved-input";
import { network } from "@/test/mock-api/network";
import { renderInApp } from "@/test/render";
import Landing from "./landing";

const initialUrl = location.href;

afterEach(() => {
  discardPreservedInput("login");
  history.replaceState(null, "", initialUrl);
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
