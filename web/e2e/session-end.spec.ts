import { mockResponse, logInAsAda } from "./mock-api";
import { startKith } from "./server";
import { expect, expectAccessible, post, disableLiveUpdates, signUp, test } from "./test";

// proves: session-ended-screen, session-ended-reason
test("a browser whose session was ended elsewhere shows the reason", async ({ browser }) => {
  const kith = await startKith();
  const context = await browser.newContext({ baseURL: kith.url });
  await disableLiveUpdates(context);
  const page = await context.newPage();
  await signUp(page, kith, "ada@example.com", kith.inviteCode);
  const me = (await (await context.request.get("/api/auth/me")).json()) as { username: string };
  const phone = await browser.newContext({ baseURL: kith.url });
  await disableLiveUpdates(phone);
  const there = await phone.newPage();
  await there.goto(await kith.signInLink(me.username));
  await expect(there.getByRole("heading", { name: "Home" })).toBeVisible();
  await post(there, "From my phone");
  const listed = await (await context.request.get("/api/auth/sessions")).json();
  const sessions = listed as { id: string; isCurrent: boolean }[];
  const id = sessions.find(({ isCurrent }) => !isCurrent)?.id;
  const headers = { origin: kith.url };
  await context.request.delete(`/api/auth/sessions/${id}`, { headers });

  const reason = /^You were logged out here, from another device/;
  await there.getByRole("button", { name: "Like", exact: true }).first().click();
  await expect(there).toHaveURL("/?login=1");
  const dialog = there.getByRole("dialog", { name: "Welcome back" });
  await expect(dialog.getByText(reason)).toBeVisible();
  await there.keyboard.press("Escape");
  await expect(there.getByRole("heading", { name: "The human network" })).toBeVisible();
  await expect(there.getByText(reason)).toBeVisible();
  await expectAccessible(there, "the landing page of a session that was ended");

  // The member's own logout shows no reason.
  await context.request.post("/api/auth/logout", { headers });
  await page.reload();
  await expect(page.getByRole("heading", { name: "The human network" })).toBeVisible();
  await expect(page.getByText("You were logged out")).toHaveCount(0);
  await kith.stop();
});

// proves: session-ended-screen
test("a suspended member sees the reason for the logout", async ({ page }) => {
  await logInAsAda(page);
  await page.goto("/");
  await expect(page.getByRole("heading", { name: "Home" })).toBeVisible();
  const message = "You were logged out because your account was suspended.";
  await mockResponse(page, "auth/me", { message, code: "suspended" }, 401);
  await page.reload();
  await expect(page.getByRole("heading", { name: "The human network" })).toBeVisible();
  await expect(page.getByText(message)).toBeVisible();
});
