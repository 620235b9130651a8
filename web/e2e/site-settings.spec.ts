import { GREEN, png } from "./image-files";
import { expect, expectAccessible, test } from "./test";

// A test renames the network.
test.use({ serverFor: "site-settings" });

// proves: identity-app, identity-form, identity-landing, identity-links, identity-built-in-pages
// proves: identity-rules-changed, identity-rules-signup, identity-form-icon
test("an admin renames the network without the command line", async ({
  founder: page,
  browser,
  kith,
}) => {
  await page.goto("/admin?tab=settings");
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue("Kith");
  await expectAccessible(page, "network settings");
  await page.getByLabel("Name", { exact: true }).fill("Lakeside");
  await page.getByLabel("Description").fill("The people around the lake.");
  await page.getByLabel("Contact").fill("ada@lake.example");
  await page.getByLabel("Headline").fill("All around the lake");
  await page.getByLabel("Tagline").fill("Wet feet.");
  await page.getByLabel("Accent color", { exact: true }).fill("#0e7c86");
  await page.getByLabel("Rules", { exact: true }).fill("## Be kind\n\nNo shouting.");
  await page.getByLabel("Imprint", { exact: true }).fill("Ada Lind, Lake Street 1");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("Settings saved", { exact: true })).toBeVisible();
  await expect(page).toHaveTitle(/Lakeside$/);
  await page.getByLabel("Image", { exact: true }).setInputFiles(png("icon.png", 200, 200, GREEN));
  await expect(page.getByText("Icon updated", { exact: true })).toBeVisible();
  await page.getByRole("tab", { name: "Audit log" }).click();
  await expect(page.getByRole("main")).toContainText(
    "changed the settings of the network: " +
      "Name, Description, Contact, Accent color, Headline, Tagline, Rules, Imprint",
  );

  const context = await browser.newContext({ baseURL: kith.url });
  const visitor = await context.newPage();
  await visitor.goto("/");
  await expect(visitor).toHaveTitle("Lakeside");
  await expect(visitor.getByRole("heading", { level: 1 })).toHaveText("All around the lake");
  await expect(visitor.getByText("Wet feet.", { exact: true })).toBeVisible();
  const icon = visitor.getByRole("img", { name: "Lakeside" });
  await expect(icon).toHaveAttribute("src", /^\/images\//);
  await expect(icon).toHaveJSProperty("complete", true);
  await visitor.getByRole("link", { name: "Imprint" }).click();
  await expect(visitor.getByText("Ada Lind, Lake Street 1")).toBeVisible();
  for (const path of ["/", "/terms", "/privacy", "/rules", "/imprint"]) {
    await visitor.goto(path);
    await expect(visitor).toHaveTitle(/Lakeside$/);
    await expect(visitor.getByRole("img", { name: "Lakeside" }).first()).toBeVisible();
    expect(await visitor.locator("body").innerText()).not.toMatch(/kith/i);
  }
  await expectAccessible(visitor, "an imprint");
  await visitor.goto("/terms");
  await expect(visitor.getByRole("link", { name: "ada@lake.example" })).toBeVisible();
  await context.close();

  await page.goto("/");
  const welcome = page.getByRole("region", { name: "Welcome" });
  await expect(welcome).toContainText("By saving you agree to the rules.");
  await welcome.getByLabel("Username").fill("ada_lind");
  await expect(welcome).toContainText("@ada_lind is available.");
  await welcome.getByRole("button", { name: "Save" }).click();
  await expect(welcome).toBeHidden();
  const notice = page.getByRole("region", { name: "Changed rules" });
  await expect(notice).toBeHidden();

  await page.goto("/admin?tab=settings");
  await page.getByLabel("Rules", { exact: true }).fill("## Be kind\n\nNo shouting, no running.");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("Settings saved", { exact: true })).toBeVisible();
  await page.goto("/");
  await expect(notice).toContainText("The rules of Lakeside have changed.");
  await notice.getByRole("button", { name: "Agree" }).click();
  await expect(notice).toBeHidden();
  await page.reload();
  await expect(page.getByRole("heading", { name: "Home" })).toBeVisible();
  await expect(notice).toBeHidden();
  await page.goto("/settings");
  const about = page.getByRole("region", { name: "About Lakeside" });
  await expect(about.getByRole("link", { name: "Rules" })).toHaveAttribute("href", "/rules");
});
