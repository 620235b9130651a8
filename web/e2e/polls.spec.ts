import { mockResponse, logInAsAda, holdResponse, makePost } from "./mock-api";
import { expect, type Page, post, test } from "./test";

const tomorrow = new Date(Date.now() + 24 * 3_600_000).toISOString();

async function openPoll(page: Page, more: object = {}) {
  const poll = { pollOptions: ["Tea", "Coffee"], pollExpiresAt: tomorrow, ...more };
  await logInAsAda(page);
  await mockResponse(page, "posts/feed?*", [makePost("7", poll)]);
  await page.goto("/");
  return page.getByRole("article");
}

// proves: card-vote, card-vote-undo, poll-withdraw
test("a vote is withdrawn by pressing the option again, or by Undo vote", async ({
  founder: page,
}) => {
  await post(page, "Before the question");
  const data = { content: "Withdraw it?", pollOptions: ["Yes", "No"] };
  await page.request.post("/api/posts", { data });
  await page.reload();
  const card = page.getByRole("article").filter({ hasText: "Withdraw it?" });
  const yes = card.getByRole("button", { name: /^Yes/ });
  const undo = card.getByRole("button", { name: "Undo vote" });
  await expect(undo).toBeHidden();
  await yes.click();
  await expect(card.getByText(/^1 vote/)).toBeVisible();
  await expect(yes).toHaveAttribute("aria-pressed", "true");
  await yes.click();
  await expect(card.getByText(/^0 votes/)).toBeVisible();
  await expect(yes).toHaveAttribute("aria-pressed", "false");
  await expect(undo).toBeHidden();
  await card.getByRole("button", { name: /^No/ }).click();
  await undo.click();
  await expect(card.getByText(/^0 votes/)).toBeVisible();
  await expect(undo).toBeHidden();
  await page.reload();
  await expect(card.getByText(/^0 votes/)).toBeVisible();
  await expect(card.getByRole("button", { pressed: true })).toHaveCount(0);
});

// proves: card-vote-undo
test("a withdrawn vote disappears before the response, and is restored after an error", async ({
  page,
}) => {
  const card = await openPoll(page, { pollTallies: { Tea: 2, Coffee: 1 }, pollMyVote: "Tea" });
  await expect(card.getByText(/^3 votes/)).toBeVisible();
  const release = await holdResponse(page, "posts/7/vote");
  await card.getByRole("button", { name: "Undo vote" }).click();
  await expect(card.getByText(/^2 votes/)).toBeVisible();
  await expect(card.getByRole("button", { pressed: true })).toHaveCount(0);
  const message = "This poll has ended.";
  await release({ message, code: "poll_ended" }, 409);
  await expect(card.getByText(/^3 votes/)).toBeVisible();
  await expect(page.getByText(message, { exact: true })).toBeVisible();
});

for (const colorScheme of ["light", "dark"] as const) {
  for (const pollMyVote of [null, "Tea"]) {
    const title = pollMyVote === null ? "before voting" : "after voting";
    // proves: card-poll-contrast
    test(`a poll's bars are set off from the page ${title}, ${colorScheme}`, async ({ page }) => {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      const card = await openPoll(page, { pollTallies: { Tea: 2, Coffee: 1 }, pollMyVote });
      const options = card.getByRole("group", { name: "Poll" }).getByRole("button");
      await expect(options).toHaveCount(2);
      for (const option of await options.all()) {
        expect(contrast(await option.evaluate(paintedColors))).toBeGreaterThanOrEqual(3);
      }
    });
  }
}

/** Runs in the page: the painted colours of the page, of an option's bar and of the bar's edge. */
function paintedColors(option: Element): number[][] {
  const bar = getComputedStyle(option.querySelector("span[aria-hidden]") as Element);
  const page = getComputedStyle(document.body).backgroundColor;
  const edge = bar.borderBottomWidth === "0px" ? page : bar.borderBottomColor;
  const canvas = document.createElement("canvas").getContext("2d") as CanvasRenderingContext2D;
  return [page, bar.backgroundColor, edge].map((color) => {
    // Translucent colours are blended with the page's.
    for (const layer of [page, color]) {
      canvas.fillStyle = layer;
      canvas.fillRect(0, 0, 1, 1);
    }
    return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
  });
}

/** The relative luminance of a colour, as WCAG defines it. */
function luminance(color: readonly number[]): number {
  const [red = 0, green = 0, blue = 0] = color.map((value) =>
    value <= 10 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The largest contrast of the first colour with any other. */
function contrast([page = [], ...colors]: readonly number[][]): number {
  const contrasts = colors.map((color) => {
    const [dark = 0, light = 0] = [color, page]
      .map(luminance)
      .toSorted((one, other) => one - other);
    return (light + 0.05) / (dark + 0.05);
  });
  return Math.max(...contrasts);
}
