import { chooseFiles, openHome, post, getTiles } from "./composer-images";
import { blue, green, red } from "./image-files";
import { mockResponse, expectError, makePost } from "./mock-api";
import { makeImage, mockUploads } from "./mock-uploads";
import { expect, expectAccessible, expectNoOverlays, test } from "./test";

test.use({ serverFor: "images" });

const LARGEST = 10_485_760;

// proves: composer-images, card-images, profile-tab-media, upload-direct
// proves: composer-order, composer-alt, card-alt
test("images are chosen, reordered, described and posted", async ({ founder: page }) => {
  const sent: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "PUT") sent.push(new URL(request.url()).pathname);
  });
  await chooseFiles(page, red, green, blue);
  const tiles = getTiles(page);
  await expect(tiles).toHaveCount(3);
  await expect(tiles.getByRole("button", { name: /^\+ ALT/ })).toHaveCount(3);
  expect(sent).toHaveLength(3);

  await page.getByLabel("Your post").fill("Three colours");
  await tiles.nth(2).getByRole("button", { name: "Move left: Image 3 of 3" }).press("Enter");
  const moved = tiles.nth(1).getByRole("button", { name: "Move left: Image 2 of 3" });
  await expect(moved).toBeFocused();
  await moved.press("Enter");
  await expect(page.getByRole("status").getByText("Image 2 is now image 1 of 3.")).toBeAttached();
  // At the end of the row the focus stays at the moved image.
  await expect(tiles.first().getByRole("button", { name: /^Move right/ })).toBeFocused();
  await tiles.first().getByRole("button", { name: /ALT/ }).click();
  const dialog = page.getByRole("dialog", { name: "Describe the image" });
  await dialog.getByLabel("Description").fill("Nothing but blue");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(tiles.first().getByRole("img")).toHaveAttribute("alt", "Nothing but blue");

  const request = page.waitForRequest((made) => made.url().endsWith("/api/posts"));
  await post(page).click();
  const body = (await request).postDataJSON() as { imageUrls: string[]; imageAlts: unknown };
  expect(body.imageAlts).toEqual(["Nothing but blue", null, null]);
  await expect(getTiles(page)).toHaveCount(0);
  const card = page.getByRole("article").filter({ hasText: "Three colours" });
  const images = card.getByRole("group", { name: "3 images" }).locator("img");
  await expect(images).toHaveCount(3);
  for (const [index, url] of body.imageUrls.entries()) {
    await expect(images.nth(index)).toHaveAttribute("src", url);
    await expect(images.nth(index)).toHaveAttribute("srcset", /^\/images\/[0-9a-f]{40}\/\d+\.webp/);
  }
  expect(await images.evaluateAll((all) => all.map((image) => image.clientWidth > 0))).toEqual([
    true,
    true,
    true,
  ]);
  await page.goto("/profile/founder?tab=media");
  await expect(page.getByRole("article")).toHaveText(/Three colours/);
  await expect(page.getByRole("img", { name: "Nothing but blue" })).toHaveCount(1);
});

// proves: card-images, poll-images
test("a reply has an image and a poll", async ({ founder: page }) => {
  await page.getByLabel("Your post").fill("Which one?");
  await page.getByRole("button", { name: "Add poll" }).click();
  await page.getByPlaceholder("Option 1").fill("Red");
  await page.getByPlaceholder("Option 2").fill("Green");
  await chooseFiles(page, red);
  await expect(post(page)).toBeEnabled();
  await post(page).click();
  const card = page.getByRole("article").filter({ hasText: "Which one?" });
  await expect(card.getByRole("group", { name: "Image", exact: true })).toBeVisible();
  await expect(card.getByRole("button", { name: "Green" })).toBeVisible();

  await card.getByRole("button", { name: "Reply" }).click();
  const dialog = page.getByRole("dialog", { name: "Create Post" });
  await dialog.locator("input[type=file]").setInputFiles([green]);
  await expect(dialog.getByRole("button", { name: /^\+ ALT/ })).toBeVisible();
  await dialog.getByLabel("Your reply").fill("This one.");
  await post(dialog).click();
  await expect(dialog).toBeHidden();
  await card.getByText("Which one?").click();
  const reply = page.getByRole("region", { name: "Replies" }).getByRole("article");
  await expect(reply.getByRole("group", { name: "Image", exact: true })).toBeVisible();
});

// proves: composer-paste, composer-drop
test("images are pasted and dropped, and a pasted text is inserted as text", async ({ page }) => {
  await openHome(page);
  await mockUploads(page);
  const text = page.getByLabel("Your post");
  await text.evaluate(
    (area, bytes) => {
      const file = new File([Uint8Array.from(bytes)], "image.png", { type: "image/png" });
      const both = new DataTransfer();
      both.items.add(file);
      both.setData("text/plain", "from a document");
      const alone = new DataTransfer();
      alone.items.add(file);
      for (const clipboardData of [both, alone]) {
        area.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true }));
      }
    },
    [...red.buffer],
  );
  await expect(getTiles(page)).toHaveCount(1);

  const transfer = await page.evaluateHandle(
    (bytes) => {
      const data = new DataTransfer();
      data.items.add(new File([Uint8Array.from(bytes)], "dropped.png", { type: "image/png" }));
      return data;
    },
    [...blue.buffer],
  );
  const target = page.getByText("Drop images here");
  await text.dispatchEvent("dragover", { dataTransfer: transfer });
  await expect(target).toBeVisible();
  await text.dispatchEvent("dragleave", { dataTransfer: transfer });
  await expect(target).toBeHidden();
  await text.dispatchEvent("dragover", { dataTransfer: transfer });
  await text.dispatchEvent("drop", { dataTransfer: transfer });
  await expect(target).toBeHidden();
  await expect(getTiles(page)).toHaveCount(2);
  // A drop outside the composer must not navigate away from the page.
  const missed = page.getByRole("heading", { name: "Home" });
  const left = await missed.evaluate((element, dataTransfer) => {
    const event = new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true });
    return element.dispatchEvent(event);
  }, transfer);
  expect(left).toBe(false);
});

// proves: composer-alt-reminder
test("the composer reminds of descriptions until each image has one", async ({ page }) => {
  await openHome(page);
  await mockUploads(page);
  const reminder = page.getByText("Describe your images for people who cannot see them.", {
    exact: true,
  });
  await chooseFiles(page, red);
  await chooseFiles(page, green);
  await expect(getTiles(page).getByRole("button", { name: /^\+ ALT/ })).toHaveCount(2);
  for (const index of [0, 1]) {
    await expect(reminder).toBeVisible();
    await getTiles(page).nth(index).getByRole("button", { name: /ALT/ }).click();
    const dialog = page.getByRole("dialog", { name: "Describe the image" });
    await dialog.getByLabel("Description").fill("A colour");
    await dialog.getByRole("button", { name: "Save" }).click();
  }
  await expect(reminder).toHaveCount(0);
});

// proves: composer-images
test("invalid files are rejected before anything is sent", async ({ page }) => {
  await openHome(page);
  const calls = await mockUploads(page);
  const problem = page.locator("form").getByRole("alert");
  const text = { name: "notes.png", mimeType: "image/png", buffer: Buffer.from("just words") };
  await chooseFiles(page, text);
  await expect(problem).toHaveText(
    "notes.png is not an image Kith can read. Use JPEG, PNG, WebP, GIF or AVIF.",
  );
  const large = { ...red, name: "large.png", buffer: Buffer.alloc(LARGEST + 1) };
  large.buffer.set(red.buffer);
  await chooseFiles(page, large);
  await expect(problem).toHaveText("large.png is larger than 10 MB.");
  await chooseFiles(page, { ...red, name: "empty.png", buffer: Buffer.alloc(0) });
  await expect(problem).toHaveText("empty.png is empty.");
  expect(calls).toEqual([]);

  await chooseFiles(page, red, green, blue, red, green);
  await expect(problem).toHaveText("A post can have at most 4 images.");
  await expect(getTiles(page)).toHaveCount(4);
  await expect(
    page.getByRole("button", { name: "A post can have at most 4 images" }),
  ).toBeDisabled();
  await expect.poll(() => calls.filter((call) => call === "requestUrl")).toHaveLength(4);
  await getTiles(page)
    .first()
    .getByRole("button", { name: /^Remove/ })
    .click();
  await expect(getTiles(page)).toHaveCount(3);
  await expect(problem).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Add images" })).toBeEnabled();
});

// proves: composer-alt
test("images and descriptions survive a reload, and expired ones are removed", async ({ page }) => {
  await openHome(page);
  await mockUploads(page);
  await page.getByLabel("Your post").fill("Kept");
  // One after the other, so that the names of the uploads are known.
  for (const [index, file] of [red, green].entries()) {
    await chooseFiles(page, file);
    const described = getTiles(page).getByRole("button", { name: /ALT/ });
    await expect(described).toHaveCount(index + 1);
  }
  await getTiles(page).nth(1).getByRole("button", { name: /ALT/ }).click();
  const dialog = page.getByRole("dialog", { name: "Describe the image" });
  const description = dialog.getByLabel("Description");
  await description.fill("x".repeat(1_001));
  await expect(dialog.getByText("1,001/1,000")).toBeVisible();
  await expect(dialog.getByRole("button", { name: "Save" })).toBeDisabled();
  await description.fill("👩‍👩‍👧‍👦".repeat(1_000));
  await expect(dialog.getByRole("button", { name: "Save" })).toBeEnabled();
  await description.fill("מים");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expectNoOverlays(page);
  await page.reload();
  await expect(getTiles(page)).toHaveCount(2);
  await expect(getTiles(page).nth(1).getByRole("img")).toHaveAttribute("alt", "מים");

  // A day later the first one has expired.
  await page.unroute("**/api/objects/**");
  const gone = { code: "upload_not_found", message: "This image was not found." };
  await mockUploads(page, {
    prepare: (route) =>
      route.request().url().includes("01/prepare")
        ? route.fulfill({ status: 404, json: gone })
        : route.fulfill({ json: { image: makeImage() } }),
  });
  await page.route("**/api/posts", (route) => route.fulfill({ status: 404, json: gone }));
  await post(page).click();
  await expectError(page, gone.message);
  await expect(page.locator("form").getByRole("alert")).toHaveText(
    "An image is no longer there and was taken out. Everything else is as you left it.",
  );
  await expect(getTiles(page)).toHaveCount(1);
  await expect(getTiles(page).getByRole("img")).toHaveAttribute("alt", "מים");
  await expect(page.getByLabel("Your post")).toHaveValue("Kept");
  await page.unroute("**/api/posts");
  await mockResponse(page, "posts", makePost("9", { content: "Kept" }), 201);
  const request = page.waitForRequest("**/api/posts");
  await post(page).click();
  expect((await request).postDataJSON()).toEqual({
    content: "Kept",
    imageUrls: ["/icon-512.png"],
    imageAlts: ["מים"],
  });
  await expect(getTiles(page)).toHaveCount(0);
  await page.reload();
  await expect(getTiles(page)).toHaveCount(0);
});

test("the composer with images is accessible", async ({ page }) => {
  test.slow();
  await openHome(page);
  await mockUploads(page, {
    send: (route) =>
      route.request().url().includes("s3")
        ? route.fulfill({ status: 403, body: "<Error/>" })
        : route.fulfill({ status: 200, body: "" }),
  });
  await chooseFiles(page, red, green, blue);
  await expect(getTiles(page).getByRole("button", { name: /ALT/ })).toHaveCount(2);
  // Three uploads start concurrently: the order of their requests varies.
  await expect(getTiles(page).getByRole("alert")).toHaveCount(1);
  await expectAccessible(page, "composer with images");
  await getTiles(page).getByRole("button", { name: /ALT/ }).first().click();
  await expect(page.getByRole("dialog", { name: "Describe the image" })).toBeVisible();
  await expectAccessible(page, "describing an image");
  await page.keyboard.press("Escape");
  await expect(getTiles(page).getByRole("button", { name: /ALT/ }).first()).toBeFocused();
});

// proves: composer-needs-text
test("images or a poll without a text show what is missing", async ({ page }) => {
  await openHome(page);
  await mockUploads(page);
  const text = page.getByLabel("Your post");
  const why = page.getByText(/^Add some text/);
  await expect(why).toHaveCount(0);
  await chooseFiles(page, red);
  await expect(why).toHaveText("Add some text to post your image.");
  await expect(post(page)).toBeDisabled();
  await chooseFiles(page, blue);
  await expect(why).toHaveText("Add some text to post your images.");
  await text.fill("Two colours");
  await expect(why).toHaveCount(0);
  await expect(post(page)).toBeEnabled();
  await text.fill(" ");
  await expect(why).toHaveText("Add some text to post your images.");
  await page.getByRole("button", { name: "Remove: Image 2 of 2" }).click();
  await page.getByRole("button", { name: "Remove: Image 1 of 1" }).click();
  await expect(why).toHaveCount(0);
  await page.getByRole("button", { name: "Add poll" }).click();
  await page.getByPlaceholder("Option 1").fill("Here");
  await page.getByPlaceholder("Option 2").fill("There");
  await expect(why).toHaveText("Add some text to post your poll.");
});
