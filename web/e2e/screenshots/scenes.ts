import type { Page } from "@playwright/test";
import { openUpload } from "../profile-images";
import { expect } from "../test";
import { landscape } from "./landscape";
import { reader } from "./people";

/** One screen in one state. */
export interface Scene {
  /** The name of its pictures. */
  name: string;
  /** Who looks: the reader, somebody who joined just now, or nobody who is logged in. */
  as?: "reader" | "newcomer" | "visitor";
  path: string;
  /** What leads from the opened page to the state. */
  prepare?: (page: Page) => Promise<unknown>;
  /** What must be in sight before the picture is taken. */
  shows: string | RegExp;
  /** The whole page instead of what a window shows of it. */
  whole?: boolean;
  /** The only widths at which the state exists. */
  widths?: readonly number[];
}

const press = (name: string) => (page: Page) =>
  page.getByRole("button", { name, exact: true }).locator("visible=true").click();

/** Lets calls to an address wait for ever, so that what is shown meanwhile can be seen. */
const withhold = (address: string) => async (page: Page) => {
  await page.route(`**/api/${address}`, () => undefined);
  await page.reload();
};

const fail = (address: string) => async (page: Page) => {
  await page.route(`**/api/${address}`, (route) => route.fulfill({ status: 503, body: "" }));
  await page.reload();
};

/** Changes what is between the reader and whose profile it is. */
const tied = (ties: object) => async (page: Page) => {
  await page.route("**/api/users/elif", async (route) => {
    const answer = await route.fetch();
    const user: unknown = await answer.json();
    await route.fulfill({ json: Object.assign({}, user, ties) });
  });
  await page.reload();
};

async function searchFor(page: Page, term: string) {
  const box = page.getByRole("main").getByRole("searchbox");
  await box.fill(term);
  await expect(page.getByText("Searching...")).toHaveCount(0);
  await expect(page.getByRole("heading", { name: "Search Results" })).toBeVisible();
}

async function askForLink(page: Page) {
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

/** Others beside the one device that looks. */
async function showDevices(page: Page) {
  const names = ["Chrome on Windows", "Safari on iPhone", "Samsung Internet on Android"];
  const devices = names.map((name, number) => ({
    id: String(number + 1),
    name,
    createdAt: new Date(Date.now() - (number + 2) * 86_400_000).toISOString(),
    lastUsedAt: new Date(Date.now() - number * 30 * 3_600_000).toISOString(),
    isCurrent: number === 0,
  }));
  await page.route("**/api/auth/sessions", (route) => route.fulfill({ json: devices }));
  await page.reload();
}

async function openCardMenu(page: Page) {
  const card = page.getByRole("article").first();
  await card.getByRole("button", { name: "More", exact: true }).click();
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
  { name: "login-sent", as: "visitor", path: "/", prepare: askForLink, shows: "Back to login" },
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
      // Time moves by hand, or it would go on to Home.
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
  { name: "home-loading", path: "/", prepare: withhold("posts/feed?*"), shows: "Friends" },
  { name: "home-failed", path: "/", prepare: fail("posts/feed?*"), shows: "Retry" },
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
    widths: [390, 820],
  },
  {
    name: "account-menu",
    path: "/",
    prepare: press("Account menu of Jonas Weber"),
    shows: "Logout",
    widths: [1440],
  },
  {
    name: "shortcuts",
    path: "/",
    prepare: async (page) => {
      await expect(page.getByRole("article").first()).toBeVisible();
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
    prepare: (page) => page.getByRole("main").getByRole("button", { name: "Show more" }).click(),
    shows: "allotment",
  },
  {
    name: "discover-loading",
    path: "/discover",
    prepare: async (page) => {
      await page.route("**/api/trending?*", () => undefined);
      await withhold("users/suggested?*")(page);
    },
    shows: "Who to follow",
  },
  {
    name: "discover-failed",
    path: "/discover",
    prepare: async (page) => {
      await page.route("**/api/trending?*", (route) => route.abort());
      await fail("users/suggested?*")(page);
    },
    shows: "Kith can't be reached right now.",
  },
  {
    name: "discover-nobody",
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
    name: "search-nobody",
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
  { name: "profile-missing", path: "/profile/nobody", shows: "User not found." },
  { name: "notifications", path: "/notifications", shows: "Mark all as read" },
  {
    name: "notifications-none",
    path: "/notifications",
    prepare: async (page) => {
      await page.route("**/api/notifications?*", (route) => route.fulfill({ json: [] }));
      await page.route("**/api/auth/me", async (route) => {
        const answer = await route.fetch();
        const me: unknown = await answer.json();
        await route.fulfill({ json: Object.assign({}, me, { unreadNotificationCount: 0 }) });
      });
      await page.reload();
    },
    shows: "No notifications yet",
  },
  { name: "invites", path: "/invites", shows: "Used Invites" },
  { name: "settings", path: "/settings", prepare: showDevices, shows: "Safari on iPhone" },
  { name: "settings-only-device", path: "/settings", shows: "on this device only" },
  {
    name: "settings-loading",
    path: "/settings",
    prepare: withhold("auth/sessions"),
    shows: "Where you are logged in",
  },
  { name: "settings-failed", path: "/settings", prepare: fail("auth/sessions"), shows: "Retry" },
  {
    name: "settings-log-out-everywhere",
    path: "/settings",
    prepare: press("Log out everywhere"),
    shows: "Log out everywhere?",
  },
  {
    name: "settings-muted-and-blocked",
    path: "/settings",
    prepare: async (page) => {
      const list = async (address: string, member: string) => {
        const user: unknown = await (await page.request.get(`/api/users/${member}`)).json();
        await page.route(`**/api/${address}?*`, (route) => route.fulfill({ json: [user] }));
      };
      await list("mutes", "elif");
      await list("blocks", "sam");
      await page.reload();
    },
    shows: "@sam",
    whole: true,
  },
  {
    name: "profile-menu",
    path: "/profile/elif",
    prepare: press("More about this profile"),
    shows: "Mute @elif",
  },
  {
    name: "profile-block-question",
    path: "/profile/elif",
    prepare: async (page) => {
      await press("More about this profile")(page);
      await page.getByRole("menuitem", { name: "Block @elif" }).click();
    },
    shows: "Block @elif?",
  },
  {
    name: "profile-blocked",
    path: "/profile/elif",
    prepare: tied({ isBlocked: true, followsYou: false }),
    shows: "You blocked @elif",
  },
  {
    name: "profile-blocks-you",
    path: "/profile/elif",
    prepare: tied({ blocksMe: true, followsYou: false }),
    shows: "@elif blocked you",
  },
  { name: "not-found", path: "/no/such/page", shows: "404 Page Not Found" },
];

const later: Scene[] = [
  { name: "tag", path: "/tag/WebDev", shows: "Kept one animation" },
  { name: "tag-none", path: "/tag/nothing", shows: "#nothing" },
  { name: "followers", path: `/profile/${reader}/followers`, shows: "Elif Demir" },
  { name: "following", path: "/profile/elif/following", shows: "Priya Nair" },
  { name: "card-menu", path: "/", prepare: openCardMenu, shows: "Copy link" },
  { name: "composer-images", path: "/", prepare: addImages, shows: "+ ALT" },
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
    prepare: (page) => openUpload(page, "Profile image", landscape(2, 900, 600)),
    shows: "Cancel",
  },
  {
    name: "crop-header",
    path: `/profile/${reader}`,
    prepare: (page) => openUpload(page, "Header image", landscape(3, 900, 600)),
    shows: "Cancel",
  },
];

/** Every screen in every state worth looking at. A new screen gets its lines here. */
export const scenes: readonly Scene[] = [...landing, ...home, ...discover, ...rest, ...later];
