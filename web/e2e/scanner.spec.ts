import { startKith } from "./server";
import { expect, test } from "./test";

/** The number of scanned links: a few, or the rounds of `cargo xtask prove scanner`. */
const LINKS = Number(process.env["KITH_PROOF_ROUNDS"] ?? 3);

// Email scanners follow each link, and some run its scripts in a browser.
// proves: link-scanner
test("a scanner uses up no login link, and the member who requested it logs in", async ({
  browser,
  playwright,
}) => {
  test.setTimeout(60_000 + LINKS * 20_000);
  const kith = await startKith("--link-binding=strict", "--rate-limits=off");
  const codes = await kith.inviteCodes(LINKS);
  const scanner = await playwright.request.newContext({ baseURL: kith.url });
  for (const [at, inviteCode] of codes.entries()) {
    const email = `friend-${at}@example.org`;
    const asking = await browser.newContext({ baseURL: kith.url });
    const response = await asking.request.post("/api/auth/request-magic-link", {
      data: { email, inviteCode },
    });
    expect(response.status()).toBe(200);
    const link = await kith.mailedLink(email);
    const call = `/api/auth/verify${new URL(link).search}`;
    expect((await scanner.get(link)).status()).toBe(200);
    expect((await scanner.head(link)).status()).toBe(200);
    expect((await scanner.head(call)).status()).toBe(405);
    expect((await scanner.get(call)).status()).toBe(409);

    const strange = await browser.newContext({ baseURL: kith.url });
    const page = await strange.newPage();
    await page.goto(link);
    await expect(page.getByRole("heading", { name: "Is this you?" })).toBeVisible();
    const cookies = (await strange.cookies()).map(({ name }) => name);
    expect(cookies).not.toContain("session");
    expect((await strange.request.get("/api/auth/me")).status()).toBe(401);
    await strange.close();

    const own = await asking.newPage();
    await own.goto(link);
    await expect(own.getByRole("heading", { name: "Success!" })).toBeVisible();
    expect((await asking.request.get("/api/auth/me")).status()).toBe(200);
    await asking.close();
  }
  expect((await scanner.get("/api/auth/me")).status()).toBe(401);
  await scanner.dispose();
  await kith.stop();
});
