import { afterEach, expect, test } from "vitest";
import { LegalLinks } from "@/components/legal-links";
import { defaultSite, site, type SitePage } from "@/lib/site";
import { network } from "@/test/mock-api/network";
import { renderInApp } from "@/test/render";
import Imprint from "./imprint";
import Terms from "./terms";

afterEach(() => site.set(defaultSite));

function writePage(page: SitePage, markdown: string) {
  network.settings = { ...network.settings, [page]: markdown, pages: [page] };
  site.set({ ...defaultSite, name: "Lakeside", pages: [page] });
}

// proves: identity-built-in-pages, identity-app
test("the built-in terms name the network and its operator's contact", async () => {
  site.set({ ...defaultSite, name: "Lakeside", contact: "ada@lake.example" });
  const screen = await renderInApp(<Terms />);
  await expect
    .element(screen.getByRole("heading", { name: "Lakeside is for people" }))
    .toBeVisible();
  await expect
    .element(screen.getByRole("link", { name: "ada@lake.example" }))
    .toHaveAttribute("href", "mailto:ada@lake.example");
  expect(document.body.textContent).not.toContain("Kith");
});

// proves: identity-built-in-pages, identity-markdown
test("the operator's terms replace the built-in ones", async () => {
  writePage("terms", "## Ours\n\nBring a towel.");
  const screen = await renderInApp(<Terms />);
  await expect.element(screen.getByRole("heading", { name: "Ours" })).toBeVisible();
  await expect.element(screen.getByText("Bring a towel.")).toBeVisible();
  await expect.element(screen.getByText(/is for people/)).not.toBeInTheDocument();
});

// proves: identity-links
test("an imprint is linked only where it is written", async () => {
  const empty = await renderInApp(<Imprint />);
  await expect.element(empty.getByText("There is nothing here yet.")).toBeVisible();
  await expect.element(empty.getByRole("link", { name: "Imprint" })).not.toBeInTheDocument();
  await empty.unmount();
  writePage("imprint", "Ada Lind, Lake Street 1");
  const screen = await renderInApp(
    <>
      <Imprint />
      <LegalLinks />
    </>,
  );
  await expect.element(screen.getByText("Ada Lind, Lake Street 1")).toBeVisible();
  await expect.element(screen.getByRole("link", { name: "Imprint" }).first()).toBeVisible();
});
