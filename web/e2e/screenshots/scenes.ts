import type { Page } from "@playwright/test";
import { openImageDialog } from "../profile-images";
import { expect, expectShortcutsReady } from "../test";
import { accountStates } from "./account-states";
import { demo } from "./demo";
import { landscape } from "./landscape";
import { noticeScenes } from "./notices";
import { settingsScenes } from "./settings-scenes";
import { reader } from "./people";
import { failRequests, openCardMenu, press, type Scene, holdResponse } from "./scene";

async function searchFor(page: Page, term: string) {
  const box = page.getByRole("main").getByRole("searchbox");
  await box.fill(term);
  await expect(page.getByText("Searching...")).toHaveCount(0);
  await expect(page.getByRole("heading", { name: "Search Results" })).toBeVisible();
}

async function requestLoginLink(page: Page) {
  await press("Login")(page);
  await press("Already have an account? Log in")(page);
  await page.getByLabel("Email", { exact: true }).fill("jonas@kith.example");
  await press("Send magic link")(page);
}

async function writePoll(page: Page) {
  await page.getByLabel("Your post").fill("What shall I bake on Sunday?");
  await press("Add poll")(page);
  await page.getByPlaceholder("Option 1").fill("The flat loaf again");
  await page.getByPlaceholder("Option 2").fill("Rye");
}

async function addImages(page: Page) {
  const files = [0, 1, 2].map((number) => landscape(number, 900, 600));
  await page.getByLabel("Your post").fill("Three mornings, one hill");
  await page.getByRole("main").locator("input[type=file]").setInputFiles(files);
}

async function addImagesOnly(page: Page) {
  await addImages(page);
  await page.getByLabel("Your post").fill("");
}

async function loseImages(page: Page) {
  page.on("dialog", (dialog) => void dialog.accept());
  await page.route("**/api/objects/**", () => undefined);
  await addImages(page);
  await expect(page.getByText("Images are uploading.")).toBeVisible();
  await page.reload();
}

async function leaveChanges(page: Page) {
  await press("Edit Profile")(page);
  await page.getByLabel("Bio").fill("Baker. Up before the birds.");
  await press("Cancel")(page);
}

const landing: Scene[] = [
  { name: "landing", as: "visitor", path: "/", shows: "Real voices. Real connections. No bots." },
  {
    name: "login-signup",
    as: "visitor",
    path: "/",
    prepare: press("Login"),
    shows: "Already have an account? Log in",
  },
  {
    name: "login-login",
    as: "visitor",
    path: "/?login=1",
    shows: "New user? Sign up with invite code",
  },
  {
    name: "login-sent",
    as: "visitor",
    path: "/",
    prepare: requestLoginLink,
    shows: "Back to login",
  },
  { name: "verify-failed", as: "visitor", path: "/auth/verify", shows: "Verification failed" },
  {
    name: "verify-working",
    as: "visitor",
    path: "/auth/verify?token=none",
    prepare: async (page) => {
      await page.route("**/api/auth/verify?*", () => undefined);
      await page.goto("/auth/verify?token=none");
    },
    shows: "Please wait while we log you in",
  },
  {
    name: "verify-success",
    as: "visitor",
    path: "/",
    prepare: async (page) => {
      await page.route("**/api/auth/verify?*", (route) => route.fulfill({ json: {} }));
      // A paused clock prevents the redirect to Home.
      await page.clock.install();
      await page.clock.pauseAt(Date.now() + 60_000);
      await page.goto("/auth/verify?token=none");
      await expect(async () => {
        await page.clock.runFor(100);
        await expect(page.getByText("Success!")).toBeVisible({ timeout: 200 });
      }).toPass();
    },
    shows: "Success!",
  },
  {
    name: "verify-elsewhere",
    as: "visitor",
    path: "/",
    prepare: async (page) => {
      const json = { message: "Please confirm the address.", code: "confirm_email" };
      await page.route("**/api/auth/verify?*", (route) => route.fulfill({ status: 409, json }));
      await page.goto("/auth/verify?token=none");
    },
    shows: /sent to/,
  },
  { name: "terms", as: "visitor", path: "/terms", shows: "Terms", whole: true },
  { name: "privacy", as: "visitor", path: "/privacy", shows: "Privacy", whole: true },
];

const home: Scene[] = [
  { name: "home-friends", path: "/", shows: "Sunday loaf" },
  { name: "home-for-you", path: "/?tab=for-you", shows: /Followed by|You follow|Popular on/ },
  { name: "home-whole", path: "/?tab=for-you", shows: "Load more posts", whole: true },
  { name: "home-loading", path: "/", prepare: holdResponse("posts/feed?*"), shows: "Friends" },
  { name: "home-failed", path: "/", prepare: failRequests("posts/feed?*"), shows: "Retry" },
  { name: "composer-poll", path: "/", prepare: writePoll, shows: "Add option" },
  { name: "composer-dialog", path: "/", prepare: press("New Post"), shows: "Create Post" },
  { name: "home-new-member", as: "newcomer", path: "/", shows: "Welcome to Kith" },
  {
    name: "home-friends-empty",
    path: "/",
    prepare: async (page) => {
      await page.route("**/api/posts/feed?*", (route) => route.fulfill({ json: [] }));
      await page.reload();
    },
    shows: "No posts from people you follow yet. Try following some users!",
  },
  {
    name: "home-for-you-empty",
    path: "/?tab=for-you",
    prepare: async (page) => {
      await page.route("**/api/posts/for-you?*", (route) => route.fulfill({ json: [] }));
      await page.reload();
    },
    shows: "No posts to show. Check back later for fresh content!",
  },
  {
    name: "menu",
    path: "/",
    prepare: press("Open menu"),
    shows: "Invites",
    widths: [320, 390],
  },
  {
    name: "account-menu",
    path: "/",
    prepare: press("Account menu of Jonas Weber @jonas"),
    shows: "Logout",
    widths: [1440],
  },
  {
    name: "shortcuts",
    path: "/",
    prepare: async (page) => {
      await expectShortcutsReady(page);
      await page.keyboard.press("?");
    },
    shows: "Show this list",
  },
];

const discover: Scene[] = [
  { name: "discover", path: "/discover", shows: "BuildInPublic" },
  { name: "discover-whole", path: "/discover", shows: "BuildInPublic", whole: true },
  {
    name: "discover-more",
    path: "/discover",
    prepare: (page) => page.getByRole("region", { name: "Trending" }).getByRole("button").click(),
    shows: "allotment",
  },
  {
    name: "discover-loading",
    path: "/discover",
    prepare: async (page) => {
      await page.route("**/api/trending?*", () => undefined);
      await holdResponse("users/suggested?*")(page);
    },
    shows: "Who to follow",
  },
  {
    name: "discover-failed",
    path: "/discover",
    prepare: async (page) => {
      await page.route("**/api/trending?*", (route) => route.abort());
      await failRequests("users/suggested?*")(page);
    },
    shows: "Kith can't be reached right now.",
  },
  {
    name: "discover-empty",
    path: "/discover",
    prepare: async (page) => {
      await page.route("**/api/users/suggested?*", (route) => route.fulfill({ json: [] }));
      await page.reload();
    },
    shows: "No suggestions available.",
  },
  {
    name: "search",
    path: "/discover",
    prepare: (page) => searchFor(page, "ma"),
    shows: "Mara Lindqvist",
  },
  {
    name: "search-searching",
    path: "/discover",
    prepare: async (page) => {
      await page.route("**/api/users/search?*", () => undefined);
      await page.getByRole("main").getByRole("searchbox").fill("ami");
      await expect(page).toHaveURL(/q=ami/);
    },
    shows: "Searching...",
  },
  {
    name: "search-empty",
    path: "/discover",
    prepare: (page) => searchFor(page, "Zaphod Beeblebrox"),
    shows: "Zaphod Beeblebrox",
  },
];

const rest: Scene[] = [
  {
    name: "thread",
    path: "/",
    prepare: (page) => page.getByText("It rings like a bell.").first().click(),
    shows: "Everything fits on a train",
  },
  { name: "thread-missing", path: "/post/1", shows: "Post not found" },
  { name: "profile-own", path: `/profile/${reader}`, shows: "Edit Profile" },
  { name: "profile-other", path: "/profile/noor", shows: "القطة", whole: true },
  {
    name: "edit-profile",
    path: `/profile/${reader}`,
    prepare: press("Edit Profile"),
    shows: "Display Name",
  },
  {
    name: "edit-profile-discard",
    path: `/profile/${reader}`,
    prepare: leaveChanges,
    shows: "Discard your changes?",
  },
  { name: "profile-missing", path: "/profile/nobody", shows: "User not found." },
  { name: "notifications", path: "/notifications", shows: "Mark all as read" },
  {
    name: "notifications-none",
    path: "/notifications",
    prepare: async (page) => {
      await page.route("**/api/notifications?*", (route) => route.fulfill({ json: [] }));
      await page.route("**/api/auth/me", async (route) => {
        const response = await route.fetch();
        const me: unknown = await response.json();
        await route.fulfill({ json: Object.assign({}, me, { unreadNotificationCount: 0 }) });
      });
      await page.reload();
    },
    shows: "No notifications yet",
  },
  { name: "invites", path: "/invites", shows: "Used Invites" },
  { name: "not-found", path: "/no/such/page", shows: "404 Page Not Found" },
];

const later: Scene[] = [
  { name: "tag", path: "/tag/WebDev", shows: "Kept one animation" },
  { name: "tag-none", path: "/tag/nothing", shows: "#nothing" },
  { name: "followers", path: `/profile/${reader}/followers`, shows: "Elif Demir" },
  { name: "following", path: "/profile/elif/following", shows: "Priya Nair" },
  { name: "card-menu", path: "/", prepare: openCardMenu, shows: "Copy link" },
  { name: "composer-images", path: "/", prepare: addImages, shows: "+ ALT" },
  { name: "composer-images-only", path: "/", prepare: addImagesOnly, shows: /^Add some text/ },
  { name: "composer-images-lost", path: "/", prepare: loseImages, shows: /^The page was reloaded/ },
  { name: "images-one", path: "/profile/amina?tab=media", shows: "Handover done" },
  { name: "images-two", path: "/profile/ola?tab=media", shows: "The 6:12" },
  { name: "images-three", path: "/profile/weilin?tab=media", shows: "Logged 41 species" },
  { name: "images-four", path: "/profile/sam?tab=media", shows: "Courgettes" },
  {
    name: "lightbox",
    path: "/profile/weilin?tab=media",
    prepare: (page) => page.getByRole("img", { name: "The ridge where" }).click(),
    shows: "2 of 3",
  },
  {
    name: "crop-picture",
    path: `/profile/${reader}`,
    prepare: (page) => openImageDialog(page, "Profile image", landscape(2, 900, 600)),
    shows: "Cancel",
  },
  {
    name: "crop-header",
    path: `/profile/${reader}`,
    prepare: (page) => openImageDialog(page, "Header image", landscape(3, 900, 600)),
    shows: "Cancel",
  },
];

/** Every screen in its states. A new screen needs entries here. */
export const scenes: readonly Scene[] = [
  ...landing,
  ...home,
  ...discover,
  ...rest,
  ...settingsScenes,
  ...noticeScenes,
  ...demo,
  ...accountStates,
  ...later,
];
