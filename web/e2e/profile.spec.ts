import { expectError, expectToast, getToast } from "./mock-api";
import { expect, expectAccessible, expectNoOverlays, type Page, post, test } from "./test";

test.use({ serverFor: "profile" });

async function openEditor(page: Page) {
  await page.getByRole("link", { name: "Profile", exact: true }).locator("visible=true").click();
  await page.getByRole("button", { name: "Edit Profile" }).click();
  return page.getByRole("dialog", { name: "Edit Profile" });
}

/** Confirms or cancels discarding the changes. */
async function discard(page: Page) {
  const question = page.getByRole("alertdialog", { name: "Discard your changes?" });
  await question.getByRole("button", { name: "Discard" }).click();
}

// proves: home-welcome, home-welcome-once
test("a new member chooses a username, once", async ({ founder: page }) => {
  const welcome = page.getByRole("region", { name: "Welcome" });
  await expect(welcome.getByRole("heading", { name: "Welcome to Kith" })).toBeVisible();
  await expect(welcome.getByText(/only once/)).toBeVisible();
  await expectAccessible(page, "welcome card");

  await welcome.getByRole("button", { name: "Later" }).click();
  const choose = welcome.getByRole("button", { name: "Choose username" });
  await expect(choose).toBeFocused();
  await page.reload();
  await choose.click();

  const username = welcome.getByLabel("Username");
  await expect(username).toBeFocused();
  await username.fill("admin");
  await expect(welcome.getByText("This username cannot be chosen.")).toBeVisible();
  await expect(welcome.getByRole("button", { name: "Save" })).toBeDisabled();
  await username.fill("@Fay_Under");
  await expect(welcome.getByText("@fay_under is available.")).toBeVisible();
  await welcome.getByLabel("Display Name").fill("x".repeat(51));
  await welcome.getByRole("button", { name: "Save" }).click();
  await expect(welcome.getByText("A display name has 1 to 50 characters.")).toBeVisible();
  await expect(welcome.getByLabel("Display Name")).toBeFocused();
  await welcome.getByLabel("Display Name").fill("Fay Under");
  await welcome.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("You are @fay_under now.", { exact: true })).toBeVisible();
  await expect(welcome).toBeHidden();
  await page.reload();
  await expect(page.getByRole("button", { name: "Account menu of Fay Under" })).toBeVisible();
  await expect(welcome).toBeHidden();
});

// proves: edit-closes, profile-bio
test("a profile change shows everywhere", async ({ founder: page }) => {
  await post(page, "Who wrote this?");
  const dialog = await openEditor(page);
  await expect(dialog.getByLabel("Display Name")).toHaveValue("Fay Under");
  await dialog.getByLabel("Display Name").fill("Grace Hopper");
  await dialog.getByLabel("Bio").fill("Sailor 👩‍✈️");
  await expect(dialog.getByText("8/160")).toBeVisible();
  await dialog.getByLabel("Website").fill("grace.example");
  await expectAccessible(page, "edit profile dialog");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expectToast(page, "Profile updated", "Your profile has been updated successfully.");
  await expect(dialog).toBeHidden();
  await expect(page.getByRole("button", { name: "Edit Profile" })).toBeFocused();
  const card = page.getByRole("article", { name: "Post by Grace Hopper" });
  await expect(page.getByRole("heading", { name: "Grace Hopper" })).toBeVisible();
  await expect(page.getByText("Sailor 👩‍✈️")).toBeVisible();
  await expect(page.getByRole("link", { name: "grace.example" })).toHaveAttribute(
    "href",
    "https://grace.example/",
  );
  await expect(card).toBeVisible();
  await page.getByRole("link", { name: "Home", exact: true }).locator("visible=true").click();
  await expect(card).toBeVisible();
});

// proves: edit-failed, edit-bio-limit
test("changes that cannot be saved stay in the form", async ({ founder: page }) => {
  const dialog = await openEditor(page);
  await dialog.getByLabel("Bio").fill("Still here");
  await dialog.getByLabel("Website").fill("not a host");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog.getByText(/Please enter a web address/)).toBeVisible();
  await expect(getToast(page)).toHaveCount(0);
  await expect(dialog.getByLabel("Website")).toBeFocused();
  await expect(dialog.getByLabel("Bio")).toHaveValue("Still here");

  await dialog.getByLabel("Bio").fill("x".repeat(161));
  await expect(dialog.getByText("161/160")).toBeVisible();
  await expect(dialog.getByRole("button", { name: "Save" })).toBeDisabled();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await discard(page);
  await expect(dialog).toBeHidden();
  await page.getByRole("button", { name: "Edit Profile" }).click();
  await expect(dialog.getByLabel("Bio")).toHaveValue("Sailor 👩‍✈️");
});

// proves: edit-lost-answer
test("changes saved without a response are in the next form", async ({ founder: page }) => {
  const dialog = await openEditor(page);
  const before = await dialog.getByLabel("Bio").inputValue();
  await page.route("**/api/users/profile", async (route) => {
    await route.fetch();
    await route.abort();
  });
  await dialog.getByLabel("Bio").fill("Saved unheard");
  const requested = page.waitForResponse("**/api/auth/me");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expectError(page, "Failed to update profile. Please try again.");
  await requested;
  await page.unroute("**/api/users/profile");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await discard(page);
  await page.getByRole("button", { name: "Edit Profile" }).click();
  await expect(dialog.getByLabel("Bio")).toHaveValue("Saved unheard");
  await dialog.getByLabel("Bio").fill(before);
  await dialog.getByRole("button", { name: "Save" }).click();
  await expectToast(page, "Profile updated", "Your profile has been updated successfully.");
  await expectNoOverlays(page);
  await page.reload();
  await page.getByRole("button", { name: "Edit Profile" }).click();
  await expect(dialog.getByLabel("Bio")).toHaveValue(before);
});

// proves: card-username-shown
test("a long display name leaves the username readable", async ({ founder: page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const dialog = await openEditor(page);
  const before = await dialog.getByLabel("Display Name").inputValue();
  await dialog.getByLabel("Display Name").fill(`Root @root ${"MW".repeat(19)}`);
  await dialog.getByRole("button", { name: "Save" }).click();
  await expectToast(page, "Profile updated", "Your profile has been updated successfully.");
  const username = page
    .getByRole("article")
    .first()
    .getByText(/^@\w+$/);
  expect(await username.evaluate((shown) => shown.scrollWidth - shown.clientWidth)).toBe(0);
  await page.getByRole("button", { name: "Edit Profile" }).click();
  await dialog.getByLabel("Display Name").fill(before);
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog).toBeHidden();
});

test("a session that has ended redirects to the login", async ({ founder: page }) => {
  const dialog = await openEditor(page);
  await page.route("**/api/users/profile", (route) => route.fulfill({ status: 401, body: "" }));
  const login = page.waitForRequest("**/api/login");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expectToast(page, "Unauthorized", "You are logged out. Logging in again...");
  await login;
  // The session still exists on the server, which redirects to Home.
  await expect(page.getByRole("heading", { name: "Home" })).toBeVisible();
});
