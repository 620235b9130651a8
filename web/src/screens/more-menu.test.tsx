import { useQuery } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { userEvent } from "vitest/browser";
import { userQuery } from "@/api/users";
import { createDeferred } from "@/test/deferred";
import { findUser } from "@/test/mock-api/network";
import { errorBody, http } from "@/test/mock-api/typed-http";
import { worker } from "@/test/mock-api/worker";
import { expectToast, renderInApp } from "@/test/render";
import { MoreMenu } from "./more-menu";

function CachedMenu({ username }: { username: string }) {
  const { data: user } = useQuery(userQuery(username));
  return user && <MoreMenu target={user} />;
}

/** Renders the menu of Jonas's profile; the viewer follows him. */
async function renderMenu() {
  const screen = await renderInApp(<CachedMenu username="jonas" />);
  return {
    screen,
    async select(item: string) {
      await screen.getByRole("button", { name: "More about this profile" }).click();
      await screen.getByRole("menuitem", { name: item }).click();
    },
  };
}

test("a mute needs no question, and is taken back", async () => {
  const { select } = await renderMenu();
  await select("Mute @jonas");
  await expectToast("@jonas is muted");
  expect(findUser("jonas")?.isMuted).toBe(true);
  await select("Unmute @jonas");
  await expectToast("@jonas is no longer muted");
  expect(findUser("jonas")).toMatchObject({ isMuted: false, isFollowing: true });
});

test("a block is asked about, and nothing happens until then", async () => {
  const { screen, select } = await renderMenu();
  await select("Block @jonas");
  const dialog = screen.getByRole("alertdialog", { name: "Block @jonas?" });
  await expect
    .element(dialog)
    .toHaveAccessibleDescription(/neither can follow or answer the other/);
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(findUser("jonas")?.isBlocked).toBe(false);
});

test("a block that is under way cannot be cancelled, and ends the follow", async () => {
  const { promise, resolve } = createDeferred();
  let requestCount = 0;
  worker.use(
    http.post("/api/blocks/{userId}", async () => {
      requestCount += 1;
      await promise;
    }),
  );
  const { screen, select } = await renderMenu();
  await select("Block @jonas");
  const dialog = screen.getByRole("alertdialog");
  await dialog.getByRole("button", { name: "Block", exact: true }).click();
  const pending = dialog.getByRole("button", { name: "Blocking..." });
  await expect.element(pending).toHaveFocus();
  await userEvent.keyboard("{Enter}{Escape}");
  await expect.element(pending).toBeVisible();
  resolve();
  await expectToast("@jonas is blocked");
  await expect.element(dialog).not.toBeInTheDocument();
  expect(findUser("jonas")).toMatchObject({ isBlocked: true, isFollowing: false });
  expect(requestCount).toBe(1);
  await select("Unblock @jonas");
  await expectToast("@jonas is no longer blocked");
  expect(findUser("jonas")?.isBlocked).toBe(false);
});

test("a rejected block shows the reason and leaves the dialog open", async () => {
  worker.use(
    http.post("/api/blocks/{userId}", ({ response }) =>
      response(429).json(errorBody("You're doing that too often.")),
    ),
  );
  const { screen, select } = await renderMenu();
  await select("Block @jonas");
  const dialog = screen.getByRole("alertdialog");
  await dialog.getByRole("button", { name: "Block", exact: true }).click();
  await expectToast("Error", "You're doing that too often.");
  await expect
    .element(dialog.getByRole("button", { name: "Block", exact: true }))
    .toHaveAttribute("aria-disabled", "false");
  expect(findUser("jonas")?.isBlocked).toBe(false);
});
