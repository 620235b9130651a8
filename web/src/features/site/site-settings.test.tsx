import { afterEach, expect, test } from "vitest";
import { userEvent } from "vitest/browser";
import { discardPreservedInput } from "@/components/use-preserved-input";
import { applyAccent } from "@/lib/accent";
import { defaultSite, site } from "@/lib/site";
import { network } from "@/test/mock-api/network";
import { errorBody, http } from "@/test/mock-api/typed-http";
import { worker } from "@/test/mock-api/worker";
import { expectToast, renderInApp } from "@/test/render";
import { Logo } from "@/ui/logo";
import { SiteSettingsTab } from "./site-settings";

afterEach(() => {
  discardPreservedInput("site-settings");
  site.set(defaultSite);
  applyAccent(null);
});

async function renderSettings() {
  const screen = await renderInApp(
    <>
      <Logo size={24} />
      <SiteSettingsTab />
    </>,
  );
  const field = (label: string) => screen.getByLabelText(label, { exact: true });
  await expect.element(field("Name")).toHaveValue(network.settings.name);
  return { screen, field, save: screen.getByRole("button", { name: /^Sav/ }) };
}

// proves: identity-app, identity-form, identity-form-default
test("the network is renamed, and everything shows its name", async () => {
  const { screen, field, save } = await renderSettings();
  await expect.element(save).toBeDisabled();
  await userEvent.fill(field("Name"), " Lakeside ");
  const description = defaultSite.description.replace("Kith", "Lakeside");
  await expect.element(field("Description")).toHaveValue(description);
  await userEvent.fill(field("Headline"), "All around the lake");
  await userEvent.fill(field("Rules"), "Be kind.");
  const preview = screen.getByRole("region", { name: "Preview" });
  await expect.element(preview).toHaveTextContent(/Lakeside All around the lake/);
  await save.click();
  await expectToast("Settings saved");
  expect(network.settings).toMatchObject({
    name: "Lakeside",
    headline: "All around the lake",
    tagline: defaultSite.tagline,
    description,
    contact: null,
    rules: "Be kind.",
    terms: null,
    rulesVersion: 1,
  });
  expect(site.get()).toMatchObject({ name: "Lakeside", pages: ["rules"], rulesVersion: 1 });
  await expect.element(screen.getByRole("img", { name: "Lakeside" }).first()).toBeVisible();
  await expect.element(save).toBeDisabled();
});

// proves: identity-form
test("a rejected field shows the server's sentence and takes the focus, and nothing is lost", async () => {
  const sentence = "Please choose a darker color.";
  worker.use(
    http.put("/api/admin/settings", ({ response }) =>
      response(422).json(errorBody(sentence, { accentColor: sentence })),
    ),
  );
  const { field, save } = await renderSettings();
  await userEvent.fill(field("Accent color"), "#ffff00");
  await userEvent.fill(field("Terms"), "Mine.");
  await save.click();
  await expect.element(field("Accent color")).toHaveFocus();
  await expect.element(field("Accent color")).toHaveAccessibleDescription(sentence);
  await expect.element(field("Terms")).toHaveValue("Mine.");
});

// proves: identity-form-kept
test("what is typed is there again when the tab is left and opened, until it is discarded", async () => {
  const first = await renderSettings();
  await userEvent.fill(first.field("Tagline"), "Wet feet.");
  await first.screen.unmount();
  const { screen, field, save } = await renderSettings();
  await expect.element(field("Tagline")).toHaveValue("Wet feet.");
  await expect.element(screen.getByText("You have unsaved changes.")).toBeVisible();
  await screen.getByRole("button", { name: "Discard" }).click();
  await expect.element(field("Tagline")).toHaveValue(defaultSite.tagline);
  await expect.element(save).toBeDisabled();
});

// proves: identity-form-icon
test("an icon is removed at once, and a file that is no image is not uploaded", async () => {
  network.settings = { ...network.settings, iconUrl: "/favicon.svg" };
  const { screen, field } = await renderSettings();
  await userEvent.fill(field("Tagline"), "Wet feet.");
  await userEvent.upload(field("Image"), new File(["text"], "notes.txt"));
  await expect.element(screen.getByRole("alert")).toHaveTextContent(/notes\.txt is not an image/);
  await screen.getByRole("button", { name: "Remove icon" }).click();
  await expectToast("Icon removed");
  expect(network.settings.iconUrl).toBeNull();
  await expect.element(screen.getByRole("button", { name: "Remove icon" })).not.toBeInTheDocument();
  await expect.element(field("Tagline")).toHaveValue("Wet feet.");
});

// proves: identity-form-length
test("a text that is too long is not sent, and its field says so", async () => {
  const { screen, field, save } = await renderSettings();
  // A character outside the Basic Multilingual Plane counts once, as on the server.
  await userEvent.fill(field("Terms"), "🌊".repeat(20_001));
  await expect.element(screen.getByText("20,001/20,000")).toBeVisible();
  await save.click();
  const sentence = "A page can have at most 20,000 characters.";
  await expect.element(field("Terms")).toHaveFocus();
  await expect.element(field("Terms")).toHaveAccessibleDescription(new RegExp(sentence));
  expect(network.settings.version).toBe(1);
  await userEvent.fill(field("Terms"), "🌊".repeat(20_000));
  await expect.element(field("Terms")).not.toHaveAccessibleDescription(new RegExp(sentence));
  await userEvent.fill(field("Tagline"), "x".repeat(301));
  // The toast may cover the button.
  await userEvent.type(field("Tagline"), "{Enter}");
  await expect
    .element(field("Tagline"))
    .toHaveAccessibleDescription("This text can have at most 300 characters.");
  expect(network.settings.version).toBe(1);
});

// proves: identity-markdown, identity-form
test("a page has a preview of its Markdown, without HTML, images and scripts", async () => {
  const { screen, field } = await renderSettings();
  const text = "# Be kind\n\n- **Always**\n\n<b id=raw>raw</b> ![x](/x.png) [y](javascript:alert)";
  await userEvent.fill(field("Rules"), text);
  await screen.getByRole("button", { name: "Preview Rules" }).click();
  await expect.element(screen.getByRole("heading", { name: "Be kind", level: 2 })).toBeVisible();
  const item = screen.getByRole("listitem").filter({ hasText: "Always" });
  await expect.element(item).toBeVisible();
  expect(document.querySelector("#raw, img[src='/x.png'], [href^='javascript']")).toBeNull();
});

// proves: identity-form-conflict
test("changes of another admin are noticed, and what is typed is saved on the second try", async () => {
  const { field, save } = await renderSettings();
  network.settings = { ...network.settings, contact: "ada@lake.example", version: 7 };
  await userEvent.fill(field("Tagline"), "Wet feet.");
  await save.click();
  await expectToast("Error", "Someone else has changed the settings.");
  await expect.element(field("Tagline")).toHaveValue("Wet feet.");
  await expect.element(field("Contact")).toHaveValue("ada@lake.example");
  expect(network.settings.tagline).toBe(defaultSite.tagline);
  // The toast may cover the button.
  await userEvent.type(field("Tagline"), "{Enter}");
  await expectToast("Settings saved");
  expect(network.settings).toMatchObject({ tagline: "Wet feet.", contact: "ada@lake.example" });
});

// proves: announcement-mails
test("a saved announcement is mailed to all members after a question", async () => {
  const { screen, field, save } = await renderSettings();
  const button = screen.getByRole("button", { name: "Email it to all members" });
  await userEvent.fill(field("Text of the announcement"), "We meet on Friday.");
  await expect.element(button).not.toBeInTheDocument();
  await save.click();
  await expectToast("Settings saved");
  await button.click();
  await screen.getByRole("button", { name: "Send" }).click();
  await expectToast("The emails are on their way");
  await expect.element(screen.getByText("It was emailed to all members.")).toBeVisible();
  expect(network.settings.announcement).toBe("We meet on Friday.");
});
