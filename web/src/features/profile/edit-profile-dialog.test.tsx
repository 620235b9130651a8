import { expect, test, vi } from "vitest";
import { userEvent } from "vitest/browser";
import { queryClient } from "@/api/query-client";
import { queryKeys } from "@/api/query-keys";
import type { ProfileUpdate } from "@/api/types";
import { network, resetNetwork, makeCommunity } from "@/test/mock-api/network";
import { errorBody, http } from "@/test/mock-api/typed-http";
import { worker } from "@/test/mock-api/worker";
import { expectToast, getToasts, renderInApp } from "@/test/render";
import EditProfileDialog from "./edit-profile-dialog";

async function renderDialog() {
  resetNetwork(makeCommunity({ bio: "Swims all year." }));
  const onClose = vi.fn();
  const screen = await renderInApp(<EditProfileDialog onClose={onClose} />);
  const field = (label: string) => screen.getByLabelText(label, { exact: true });
  return { screen, onClose, field, save: screen.getByRole("button", { name: /^Sav/ }) };
}

/** Notes the changes that are sent. */
function recordUpdates(): ProfileUpdate[] {
  const updates: ProfileUpdate[] = [];
  worker.use(
    http.put("/api/users/profile", async ({ request }) => {
      updates.push(await request.clone().json());
    }),
  );
  return updates;
}

test("only changed fields are sent", async () => {
  const updates = recordUpdates();
  const { field, save, onClose } = await renderDialog();
  await userEvent.fill(field("Display Name"), "Mara L.");
  await save.click();
  await expectToast("Profile updated", "Your profile has been updated successfully.");
  expect(updates).toEqual([{ displayName: "Mara L." }]);
  expect(onClose).toHaveBeenCalledOnce();
  expect(queryClient.getQueryData(queryKeys.currentUser)).toMatchObject({
    displayName: "Mara L.",
    bio: "Swims all year.",
  });
});

test("a rejected field shows the server's sentence and takes the focus, and nothing is lost", async () => {
  const updates = recordUpdates();
  const { field, save, onClose } = await renderDialog();
  await userEvent.fill(field("Bio"), "Swims in winter.");
  await userEvent.fill(field("Website"), "lake");
  await save.click();
  await expect.element(field("Website")).toHaveFocus();
  await expect.element(field("Website")).toHaveAttribute("aria-invalid", "true");
  await expect
    .element(field("Website"))
    .toHaveAccessibleDescription("Please enter a web address like https://example.org.");
  await expect.element(field("Bio")).toHaveValue("Swims in winter.");
  expect(getToasts()).toEqual([]);
  expect(onClose).not.toHaveBeenCalled();
  await userEvent.fill(field("Website"), "https://lake.example");
  await save.click();
  await expect.poll(() => onClose.mock.calls.length).toBe(1);
  expect(updates[1]).toEqual({ bio: "Swims in winter.", website: "https://lake.example" });
  expect(network.viewer).toMatchObject(updates[1] ?? {});
});

test("fields that may have been saved are sent again, even after they were restored", async () => {
  const updates = recordUpdates();
  const { field, save } = await renderDialog();
  worker.use(
    http.put("/api/users/profile", async ({ request, response }) => {
      updates.push(await request.json());
      return response(503).json(errorBody(""));
    }),
  );
  await userEvent.fill(field("Bio"), "Swims in winter.");
  await save.click();
  await expectToast("Error", "Failed to update profile. Please try again.");
  await userEvent.fill(field("Bio"), "Swims all year.");
  await expect.element(save).toHaveTextContent("Save");
  await save.click();
  await expect
    .poll(() => updates)
    .toEqual([{ bio: "Swims in winter." }, { bio: "Swims all year." }]);
});

test("a bio that is too long cannot be saved", async () => {
  const { screen, field, save } = await renderDialog();
  await userEvent.fill(field("Bio"), "x".repeat(161));
  await expect.element(screen.getByText("161/160")).toBeVisible();
  await expect.element(save).toBeDisabled();
  await userEvent.fill(field("Bio"), "x".repeat(160));
  await expect.element(save).toBeEnabled();
});

test("changes are not lost without a question", async () => {
  const { screen, field, onClose } = await renderDialog();
  await userEvent.fill(field("Display Name"), "Mara L.");
  await screen.getByRole("button", { name: "Cancel" }).click();
  await screen.getByRole("button", { name: "Keep editing" }).click();
  await expect.element(field("Display Name")).toHaveValue("Mara L.");
  expect(onClose).not.toHaveBeenCalled();
  await userEvent.keyboard("{Escape}");
  await screen.getByRole("button", { name: "Discard" }).click();
  expect(onClose).toHaveBeenCalledOnce();
  expect(network.viewer?.displayName).toBe("Mara Lind");
});

test("without changes it closes without a question", async () => {
  const { screen, field, onClose } = await renderDialog();
  await userEvent.fill(field("Display Name"), "Mara");
  await userEvent.fill(field("Display Name"), "Mara Lind");
  await screen.getByRole("button", { name: "Cancel" }).click();
  expect(onClose).toHaveBeenCalledOnce();
});
