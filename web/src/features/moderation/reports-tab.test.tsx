import { beforeAll, expect, test } from "vitest";
import { loadMemberCatalog } from "@/lib/i18n/catalogs";
import { makeCommunity, network, resetNetwork } from "@/test/mock-api/network";
import { errorBody, http } from "@/test/mock-api/typed-http";
import { worker } from "@/test/mock-api/worker";
import { expectToast, renderInApp } from "@/test/render";
import { ReportsTab } from "./reports-tab";

beforeAll(() => loadMemberCatalog());

async function renderTab(filter: string) {
  resetNetwork(makeCommunity({ role: "moderator" }));
  const screen = await renderInApp(<ReportsTab />);
  await screen.getByRole("button", { name: filter, exact: true }).click();
  const rows = screen.getByRole("list", { name: filter }).getByRole("listitem");
  return { screen, rows };
}

/** Collects the decisions that are sent about objections. */
function collectDecisions() {
  const bodies: unknown[] = [];
  worker.use(
    http.post("/api/admin/objections/{id}/resolve", async ({ params, request, response }) => {
      bodies.push(await request.json());
      network.objections = network.objections.filter(({ id }) => id !== params.id);
      return response(204).empty();
    }),
  );
  return bodies;
}

// proves: admin-objections, admin-objection-card
test("an objection is shown with the decision and its reasons", async () => {
  const { rows } = await renderTab("Objections");
  const removal = rows.first();
  await expect.element(removal).toHaveTextContent("Objection to the removal of a post");
  await expect.element(removal).toHaveTextContent("Decided by @ines");
  await expect.element(removal).toHaveTextContent("2. No advertising, also not in replies.");
  await expect.element(removal).toHaveTextContent("Please don't offer things for sale here.");
  await expect.element(removal).toHaveTextContent("Sourdough starters, 5 each. Write to me!");
  await expect.element(removal).toHaveTextContent("I gave them away for free.");
  await expect.element(rows.nth(1)).toHaveTextContent("Objection to a suspension");
  await expect.element(rows.nth(2)).toHaveTextContent("Decided by the operator");
});

// proves: admin-objection-decide
test("a moderator rejects an objection with an answer", async () => {
  const bodies = collectDecisions();
  const { screen, rows } = await renderTab("Objections");
  await rows
    .first()
    .getByRole("button", { name: /^Keep the decision/ })
    .click();
  const answer = screen.getByLabelText("Answer to @tom (optional)");
  await answer.fill("It was the third time.");
  await screen.getByRole("button", { name: "Keep the decision", exact: true }).click();
  await expectToast("Objection rejected");
  expect(bodies).toEqual([{ action: "reject", answer: "It was the third time." }]);
  await expect.poll(() => rows.elements().length).toBe(2);
});

for (const [row, action, done] of [
  [0, "Restore post", "Post restored"],
  [1, "Lift suspension", "Suspension lifted"],
  [2, "Unfreeze invites", "Invites unfrozen"],
] as const) {
  // proves: admin-objection-decide
  test(`objection ${row} is accepted by ${action}`, async () => {
    const bodies = collectDecisions();
    const { screen, rows } = await renderTab("Objections");
    await rows
      .nth(row)
      .getByRole("button", { name: `${action}: objection of @tom` })
      .click();
    await screen.getByRole("button", { name: action, exact: true }).click();
    await expectToast(done);
    expect(bodies).toEqual([{ action: "accept" }]);
  });
}

// proves: admin-objection-decide
test("an objection that someone else decided about disappears", async () => {
  const { screen, rows } = await renderTab("Objections");
  worker.use(
    http.post("/api/admin/objections/{id}/resolve", ({ response }) =>
      response(409).json(errorBody("Someone has already decided about this objection.")),
    ),
  );
  await rows
    .first()
    .getByRole("button", { name: /^Restore post/ })
    .click();
  network.objections = [];
  await screen.getByRole("button", { name: "Restore post", exact: true }).click();
  await expectToast("Error", "Someone has already decided about this objection.");
  await expect.element(screen.getByRole("dialog")).not.toBeInTheDocument();
  await expect.element(screen.getByText("No open objections")).toBeVisible();
});

// proves: admin-removed-posts
test("a removed post is restored", async () => {
  const { screen, rows } = await renderTab("Removed posts");
  await expect.element(rows.first()).toHaveTextContent("Sourdough starters, 5 each. Write to me!");
  await expect.element(rows.first()).toHaveTextContent("Can be restored until");
  await expect.element(rows.nth(1).getByRole("img", { name: "Image 2" })).toBeInTheDocument();
  await rows.first().getByRole("button", { name: "Restore: post by @tom" }).click();
  await expect.element(screen.getByRole("dialog").getByRole("textbox")).not.toBeInTheDocument();
  await screen.getByRole("button", { name: "Restore", exact: true }).click();
  await expectToast("Post restored");
  await expect.poll(() => rows.elements().length).toBe(1);
});

// proves: admin-removed-posts, admin-objection-decide
test("a moderator decides nothing about members of the same role", async () => {
  const [objection] = network.objections;
  const [removed] = network.removedPosts;
  if (!objection || !removed) throw new Error("The network has no objection or removed post.");
  const { screen } = await renderTab("Open");
  network.objections = [{ ...objection, member: { ...objection.member, role: "moderator" } }];
  network.removedPosts = [{ ...removed, author: { ...removed.author, role: "admin" } }];
  await screen.getByRole("button", { name: "Objections", exact: true }).click();
  await expect
    .element(screen.getByText("Only someone with a higher role than @tom can decide about this."))
    .toBeVisible();
  await screen.getByRole("button", { name: "Removed posts", exact: true }).click();
  await expect
    .element(screen.getByText("Only someone with a higher role than @tom can restore this."))
    .toBeVisible();
  await expect.element(screen.getByRole("button", { name: /^Restore/ })).not.toBeInTheDocument();
});
