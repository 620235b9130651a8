import { expect, test } from "vitest";
import { makeUser } from "@/test/mock-api/records";
import { renderInApp } from "@/test/render";
import { ProfileHeader } from "./profile-header";

// proves: profile-website-whole
test("a website breaks where it is too long, and is never cut", async () => {
  const host = `accounts.kith.example.${"long.".repeat(40)}terms.example`;
  const user = makeUser({ username: "ada", website: `https://${host}/` });
  const screen = await renderInApp(
    <div style={{ width: 320, height: 600 }} data-testid="frame">
      <ProfileHeader user={user} action={null} isOwn={false} />
    </div>,
  );
  const link = screen.getByRole("link", { name: host });
  await expect.element(link).toBeVisible();
  const frame = screen.getByTestId("frame").element().getBoundingClientRect();
  const text = document.createRange();
  text.selectNodeContents(link.element());
  const lines = [...text.getClientRects()];
  expect(lines.length).toBeGreaterThan(2);
  for (const line of lines) {
    expect(line.right).toBeLessThanOrEqual(frame.right);
    // Neither clipped nor behind something else at its end.
    const end = document.elementFromPoint(line.right - 1, line.top + line.height / 2);
    expect(link.element().contains(end)).toBe(true);
  }
  expect(getComputedStyle(link.element()).textOverflow).toBe("clip");
  expect(link.element().scrollWidth).toBeLessThanOrEqual(frame.width);
});
