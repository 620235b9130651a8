import {
  ada,
  mockResponse,
  logInAsAda,
  bob,
  expectToast,
  holdResponse,
  mockError,
} from "./mock-api";
import { expect, expectNoOverlays, expectOverlays, test } from "./test";

const stranger = { ...ada, id: "3", username: "cleo", displayName: "cleo the third" };

// proves: profile-names, profile-bio, profile-avatar, profile-website, profile-joined
// proves: profile-counts, profile-invited-by, profile-tabs, route-profile
test("a profile shows a member", async ({ page }) => {
  await logInAsAda(page);
  await mockResponse(page, "users/cleo", stranger);
  await mockResponse(page, "follows/3/status", { isFollowing: false });
  await page.goto("/profile/cleo");
  const about = page.getByRole("region", { name: "About" });
  await expect(about.getByRole("heading", { name: "cleo the third", exact: true })).toBeVisible();
  await expect(about.getByText("@cleo", { exact: true })).toBeVisible();
  await expect(about.getByText("First of all.", { exact: true })).toBeVisible();
  await expect(about.getByText("c", { exact: true })).toBeVisible();
  const website = about.getByRole("link", { name: "ada.example", exact: true });
  await expect(website).toHaveAttribute("href", "https://ada.example/");
  await expect(website).toHaveAttribute("target", "_blank");
  await expect(about.getByText("Joined March 2026", { exact: true })).toBeVisible();
  await expect(about.getByText("3 Following", { exact: true })).toBeVisible();
  await expect(about.getByText("1,204 Followers", { exact: true })).toBeVisible();
  await expect(about.getByText("Invited by @bob", { exact: true })).toBeVisible();
  await expect(page.getByRole("tab")).toHaveText(["Posts", "Replies", "Media", "Likes"]);
});

// proves: profile-avatar
test("a profile image replaces the letter", async ({ page }) => {
  await logInAsAda(page);
  await mockResponse(page, "users/cleo", { ...stranger, profileImageUrl: "/icon-192.png" });
  await page.goto("/profile/cleo");
  const about = page.getByRole("region", { name: "About" });
  await expect(about.locator("img[src='/icon-192.png']")).toBeVisible();
  await expect(about.getByText("c", { exact: true })).toHaveCount(0);
});

// proves: profile-empty-posts, profile-empty-replies, profile-empty-media, profile-empty-likes
// proves: profile-tab-posts, profile-tab-replies, profile-tab-likes
test("each empty list has a message", async ({ page }) => {
  await logInAsAda(page);
  const requested: (string | null)[] = [];
  await page.route("**/api/users/ada/posts?*", (route) => {
    requested.push(new URL(route.request().url()).searchParams.get("filter"));
    return route.fulfill({ json: [] });
  });
  await page.goto("/profile/ada");
  for (const [tab, text] of [
    ["Posts", "No posts yet."],
    ["Replies", "No replies yet."],
    ["Media", "No media posts yet."],
    ["Likes", "No liked posts yet."],
  ] as const) {
    await page.getByRole("tab", { name: tab, exact: true }).click();
    await expect(page.getByRole("tabpanel")).toHaveText(text);
  }
  expect(requested).toEqual(["posts", "replies", "media", "likes"]);
});

// proves: profile-loading, profile-missing
test("a profile loads, or does not exist", async ({ page }) => {
  await logInAsAda(page);
  const release = await holdResponse(page, "users/cleo");
  await page.goto("/profile/cleo");
  await expect(page.getByText("Loading profile...", { exact: true })).toBeAttached();
  await release(stranger);
  await expect(page.getByText("Loading profile...", { exact: true })).toHaveCount(0);
  await mockError(page, "users/nobody", 404, "User not found.");
  await page.goto("/profile/nobody");
  await expect(page.getByText("User not found.", { exact: true })).toBeVisible();
});

// proves: profile-old-handle
test("an earlier username redirects to the current one, in the same history entry", async ({
  page,
}) => {
  await logInAsAda(page);
  await mockResponse(page, "users/member_abc", stranger);
  await mockResponse(page, "users/cleo", stranger);
  await page.goto("/invites");
  await page.goto("/profile/member_abc?tab=likes");
  await expect(page).toHaveURL("/profile/cleo?tab=likes");
  await expect(page.getByRole("tab", { name: "Likes", exact: true })).toHaveAttribute(
    "aria-selected",
    "true",
  );
  await page.goBack();
  await expect(page).toHaveURL("/invites");
});

// proves: own-profile-only, follow-others, follow-texts, follow-toggles
test("other members can be followed, and only the viewer's profile edited", async ({ page }) => {
  await logInAsAda(page);
  await page.goto("/profile/ada");
  const edit = page.getByRole("button", { name: "Edit Profile", exact: true });
  // The menu button has only an icon.
  const about = page.getByRole("region", { name: "About" });
  const buttons = about.getByRole("button").filter({ hasText: /./ });
  await expect(edit).toBeVisible();
  await expect(buttons).toHaveText(["Upload", "Upload", "Edit Profile"]);

  const status = await holdResponse(page, "follows/2/status");
  await mockResponse(page, "users/bob", { ...ada, ...bob });
  await page.goto("/profile/bob");
  await expect(buttons).toHaveText(["Loading..."]);
  await expect(buttons).toBeDisabled();
  await expect(edit).toHaveCount(0);
  await status({ isFollowing: false });
  await expect(buttons).toHaveText(["Follow"]);
  await mockResponse(page, "follows", { isFollowing: true });
  const followed = page.waitForRequest("**/api/follows");
  await buttons.click();
  expect((await followed).postDataJSON()).toEqual({ followingId: "2" });
  await expect(buttons).toHaveText(["Following"]);
  await mockResponse(page, "follows/2", { isFollowing: false });
  const left = page.waitForRequest("**/api/follows/2");
  await buttons.click();
  expect((await left).method()).toBe("DELETE");
  await expect(buttons).toHaveText(["Follow"]);
});

// proves: edit-discard
test("changes in the profile are discarded only after a confirmation", async ({ page }) => {
  await logInAsAda(page);
  await page.goto("/");
  await page.getByRole("link", { name: "Profile", exact: true }).locator("visible=true").click();
  const edit = page.getByRole("button", { name: "Edit Profile", exact: true });
  await edit.click();
  const dialog = page.getByRole("dialog", { name: "Edit Profile", exact: true });
  const question = page.getByRole("alertdialog", { name: "Discard your changes?", exact: true });
  const keep = question.getByRole("button", { name: "Keep editing", exact: true });
  const bio = dialog.getByLabel("Bio", { exact: true });
  await bio.fill("Two hours of work");
  const ways = [
    () => page.keyboard.press("Escape"),
    () => page.mouse.click(5, 5),
    () => dialog.getByRole("button", { name: "Cancel" }).click(),
    () => dialog.getByRole("button", { name: "Close" }).click(),
    () => page.goBack(),
  ];
  for (const close of ways) {
    await close();
    await expect(keep).toBeFocused();
    await keep.click();
    await expect(question).toBeHidden();
    await expectOverlays(page, 1);
    await expect(bio).toHaveValue("Two hours of work");
  }
  // Back closes the confirmation, and Escape restores the focus to the field.
  await bio.focus();
  await page.keyboard.press("Escape");
  await expect(question).toBeVisible();
  await expectOverlays(page, 2);
  await page.goBack();
  await expect(question).toBeHidden();
  await expect(bio).toBeFocused();
  await page.keyboard.press("Escape");
  await question.getByRole("button", { name: "Discard", exact: true }).click();
  await expect(dialog).toBeHidden();
  await expect(edit).toBeFocused();
  // Without changes there is no confirmation.
  await edit.click();
  await expect(bio).toHaveValue("First of all.");
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(page.getByRole("alertdialog")).toHaveCount(0);
  await expect(page).toHaveURL("/profile/ada");
  await expectNoOverlays(page);
  await page.goBack();
  await expect(page).toHaveURL("/");
});

// proves: edit-dialog, edit-prefilled, edit-pending, edit-closes, edit-website-type
// proves: edit-changed-only, call-update-profile
test("the dialog starts with the current values", async ({ page }) => {
  await logInAsAda(page);
  await page.goto("/profile/ada");
  await page.getByRole("button", { name: "Edit Profile", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Edit Profile", exact: true });
  const button = (name: string) => dialog.getByRole("button", { name, exact: true });
  await expect(dialog.getByLabel("Display Name", { exact: true })).toHaveValue("Ada Lovelace");
  await expect(dialog.getByLabel("Bio", { exact: true })).toHaveValue("First of all.");
  const website = dialog.getByLabel("Website", { exact: true });
  await expect(website).toHaveValue("https://ada.example/");
  await expect(website).toHaveAttribute("type", "url");
  await expect(button("Cancel")).toBeVisible();
  const release = await holdResponse(page, "users/profile");
  const request = page.waitForRequest("**/api/users/profile");
  await dialog.getByLabel("Bio", { exact: true }).fill("Second of all.");
  await button("Save").click();
  await expect(button("Saving...")).toBeDisabled();
  expect((await request).method()).toBe("PUT");
  expect((await request).postDataJSON()).toEqual({ bio: "Second of all." });
  await release({ ...ada, bio: "Second of all." });
  await expectToast(page, "Profile updated", "Your profile has been updated successfully.");
  await expect(dialog).toBeHidden();
  await expect(page.getByText("Second of all.", { exact: true })).toBeVisible();
});
