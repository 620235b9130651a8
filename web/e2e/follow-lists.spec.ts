import { ada, mockResponse, logInAsAda, bob, mockError } from "./mock-api";
import { expect, expectAccessible, type Page, signUp, test } from "./test";

const dora = { ...ada, ...bob, id: "4", username: "dora", displayName: "Dora", followsYou: true };

async function beAdaLookingAtCleo(page: Page) {
  await logInAsAda(page);
  const cleo = { ...ada, id: "3", username: "cleo", displayName: "Cleo" };
  await mockResponse(page, "users/cleo", cleo);
  await mockResponse(page, "follows/3/status", { isFollowing: false });
}

function membersFrom(first: number, count: number): object[] {
  return Array.from({ length: count }, (_, at) => {
    const name = `member${first + at}`;
    return { ...dora, id: String(first + at), username: name, displayName: name };
  });
}

// proves: profile-count-one
// proves: profile-lists, route-follow-lists, people-title, people-row, call-followers
test("a profile's counts link to the lists of members", async ({ page, kith, founder }) => {
  await signUp(page, kith, "follower@example.com", kith.inviteCode);
  const me = (await (await founder.request.get("/api/auth/me")).json()) as { username: string };
  await page.goto(`/profile/${me.username}`);
  await page.getByRole("link", { name: "1 Follower", exact: true }).click();
  await expect(page).toHaveURL(`/profile/${me.username}/followers`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Followers");
  await expect(page.getByRole("main").getByText(`@${me.username}`, { exact: true })).toBeVisible();
  await expect(page).toHaveTitle(`(1) Followers of @${me.username} · Kith`);
  const rows = page.getByRole("main").getByRole("listitem");
  await expect(rows).toHaveCount(1);
  // The viewer's own row has no follow button.
  await expect(rows.getByRole("button")).toHaveCount(0);
  await expectAccessible(page, "followers");
  await page.getByRole("link", { name: "Back to profile" }).click();
  await expect(page).toHaveURL(`/profile/${me.username}`);
  await page.getByRole("link", { name: "1 Following", exact: true }).click();
  await expect(page).toHaveURL(`/profile/${me.username}/following`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Following");
  await expect(rows).toHaveCount(1);
});

// proves: people-row, people-still, follow-toggles, follow-texts
test("a row shows a member, and its button follows immediately", async ({ page }) => {
  await beAdaLookingAtCleo(page);
  await mockResponse(page, "users/cleo/following?*", [{ ...dora, isFollowing: true }, ada]);
  const requested: string[] = [];
  page.on("request", (request) => requested.push(`${request.method()} ${request.url()}`));
  await page.goto("/profile/cleo/following");
  const rows = page.getByRole("main").getByRole("listitem");
  const row = rows.first();
  await expect(row.getByRole("link", { name: "Dora", exact: true })).toHaveAttribute(
    "href",
    "/profile/dora",
  );
  await expect(row).toContainText("@doraFollows you");
  await expect(row.getByText("First of all.", { exact: true })).toBeVisible();
  await expect(row.locator("img")).toHaveAttribute("src", "/favicon.svg");
  await expect(rows.last().getByRole("button")).toHaveCount(0);
  const follow = row.getByRole("button", { name: /@dora$/ });
  await expect(follow).toHaveText("Following");
  expect(requested.filter((call) => call.includes("/status"))).toEqual([]);
  await mockResponse(page, "follows/4", {}, 204);
  requested.length = 0;
  await follow.click();
  await expect(follow).toHaveText("Follow");
  await page.waitForLoadState("networkidle");
  expect(requested.some((call) => call.startsWith("DELETE"))).toBe(true);
  expect(requested.filter((call) => call.includes("users/cleo/following"))).toEqual([]);
  await expect(rows).toHaveCount(2);
});

// proves: people-more, call-following
test("more members are loaded after a full page only", async ({ page }) => {
  await beAdaLookingAtCleo(page);
  const requested: string[] = [];
  await page.route("**/api/users/cleo/followers?*", (route) => {
    const { search } = new URL(route.request().url());
    requested.push(search);
    const link = '</api/users/cleo/followers?limit=20&cursor=88>; rel="next"';
    if (!search.includes("cursor")) {
      return route.fulfill({ json: membersFrom(100, 20), headers: { link } });
    }
    // The first request fails: loaded rows stay, and the rest can be retried.
    if (requested.length === 2) return route.fulfill({ status: 503, body: "" });
    return route.fulfill({ json: membersFrom(119, 3) });
  });
  await page.goto("/profile/cleo/followers");
  const rows = page.getByRole("main").getByRole("listitem");
  await expect(rows).toHaveCount(20);
  await page.getByRole("button", { name: "Load more", exact: true }).click();
  await expect(page.getByRole("alert")).toContainText("503");
  await expect(rows).toHaveCount(20);
  await page.getByRole("button", { name: "Retry", exact: true }).click();
  await expect(rows).toHaveCount(22);
  await expect(page.getByRole("button", { name: "Load more" })).toHaveCount(0);
  expect(requested).toEqual(["?limit=20", "?limit=20&cursor=88", "?limit=20&cursor=88"]);
});

// proves: people-empty, people-missing, people-old-handle
test("empty lists, lists of unknown members, and lists of an earlier username", async ({
  page,
}) => {
  await beAdaLookingAtCleo(page);
  for (const [side, text] of [
    ["followers", "No followers yet."],
    ["following", "Not following anyone yet."],
  ] as const) {
    await mockResponse(page, `users/*/${side}?*`, []);
    await page.goto(`/profile/cleo/${side}`);
    await expect(page.getByText(text, { exact: true })).toBeVisible();
    await expect(page.getByRole("main").getByRole("link", { name: "Back to profile" })).toHaveCount(
      2,
    );
  }
  await page.goto("/profile/ada/followers");
  await expect(page.getByRole("main").getByRole("link", { name: "Invite Friends" })).toBeVisible();
  await mockResponse(page, "users/member_abc", { ...ada, username: "cleo" });
  await page.goto("/profile/member_abc/followers");
  await expect(page).toHaveURL("/profile/cleo/followers");
  await mockError(page, "users/nobody/followers?*", 404, "User not found.");
  await page.goto("/profile/nobody/followers");
  await expect(page.getByText("User not found.", { exact: true })).toBeVisible();
});
