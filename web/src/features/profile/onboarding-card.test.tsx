import { expect, test } from "vitest";
import { userEvent } from "vitest/browser";
import { defaultSite, site } from "@/lib/site";
import { makeCommunity, network, resetNetwork } from "@/test/mock-api/network";
import { errorBody, http } from "@/test/mock-api/typed-http";
import { worker } from "@/test/mock-api/worker";
import { expectToast, renderInApp } from "@/test/render";
import { OnboardingCard } from "./onboarding-card";

/** Longer than the pause in typing after which the server is asked. */
const TYPING_PAUSE_MS = 500;

async function renderCard() {
  resetNetwork(makeCommunity({ username: "member_4711", usernameIsProvisional: true }));
  const screen = await renderInApp(<OnboardingCard />);
  return {
    screen,
    username: screen.getByLabelText("Username"),
    save: screen.getByRole("button", { name: "Save" }),
  };
}

/** Notes the usernames whose availability is requested. */
function recordRequests(): (string | null)[] {
  const names: (string | null)[] = [];
  worker.use(
    http.get("/api/users/username-available", ({ query }) => {
      names.push(query.get("u"));
    }),
  );
  return names;
}

test("availability is requested once the name is long enough and typing pauses", async () => {
  const names = recordRequests();
  const { username, save } = await renderCard();
  await expect.element(username).toHaveAccessibleDescription(/^3 to 20 letters/);
  await userEvent.type(username, "to");
  await new Promise((resolve) => setTimeout(resolve, TYPING_PAUSE_MS));
  await expect.element(save).toBeDisabled();
  await userEvent.type(username, "m");
  await expect.element(username).toHaveAccessibleDescription("This username is taken.");
  await expect.element(username).toHaveAttribute("aria-invalid", "true");
  await expect.element(save).toBeDisabled();
  expect(names).toEqual(["tom"]);
});

test("the message about another username disappears with the first letter", async () => {
  const { username } = await renderCard();
  await userEvent.type(username, "tom");
  await expect.element(username).toHaveAttribute("aria-invalid", "true");
  await userEvent.type(username, "m");
  expect(username.element().getAttribute("aria-invalid")).toBe("false");
  await expect.element(username).toHaveAccessibleDescription("@tomm is available.");
});

test("an available name is chosen, as the server will write it", async () => {
  const { screen, username, save } = await renderCard();
  await userEvent.fill(username, " @Mara_L");
  await expect.element(username).toHaveAccessibleDescription("@mara_l is available.");
  await userEvent.fill(screen.getByLabelText("Display Name"), "Mara L.");
  await save.click();
  await expectToast("Welcome to Kith", "You are @mara_l now.");
  expect(network.viewer).toMatchObject({ username: "mara_l", displayName: "Mara L." });
  await expect.element(screen.getByLabelText("Welcome")).not.toBeInTheDocument();
});

test("a username that was taken meanwhile has an error at the field, until it changes", async () => {
  const { username, save } = await renderCard();
  worker.use(
    http.put("/api/users/username", ({ response }) =>
      response(409).json(errorBody("Another member has just taken it.")),
    ),
  );
  await userEvent.fill(username, "mara_l");
  await expect.element(username).toHaveAccessibleDescription("@mara_l is available.");
  await save.click();
  await expect.element(username).toHaveAccessibleDescription("Another member has just taken it.");
  await expect.element(username).toHaveFocus();
  await userEvent.fill(username, "mara_li");
  await expect.element(username).toHaveAccessibleDescription("@mara_li is available.");
});

test("later is stored, and undone", async () => {
  const { screen, username } = await renderCard();
  await screen.getByRole("button", { name: "Later" }).click();
  await expect.element(screen.getByText("You are @member_4711 for now.")).toBeVisible();
  await expect.element(screen.getByRole("button", { name: "Choose username" })).toHaveFocus();
  await screen.unmount();
  const again = await renderInApp(<OnboardingCard />);
  await again.getByRole("button", { name: "Choose username" }).click();
  await expect.element(username).toHaveFocus();
});

// proves: identity-rules-signup
test("a chosen username comes with the agreement to the rules", async () => {
  site.set({ ...defaultSite, rulesVersion: 4 });
  const { screen, username, save } = await renderCard();
  const link = screen.getByRole("link", { name: "rules" });
  await expect.element(link).toHaveAttribute("href", "/rules");
  await userEvent.fill(username, "mara_l");
  await expect.element(save).toBeEnabled();
  await save.click();
  await expectToast("Welcome to Kith", "You are @mara_l now.");
  expect(network.viewer?.acceptedRulesVersion).toBe(4);
  site.set(defaultSite);
});
