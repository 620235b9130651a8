import { afterEach, beforeAll, expect, test } from "vitest";
import { loadMemberCatalog } from "@/lib/i18n/catalogs";
import { network } from "@/test/mock-api/network";
import { errorBody, http } from "@/test/mock-api/typed-http";
import { worker } from "@/test/mock-api/worker";
import { expectToast, renderInApp } from "@/test/render";
import Notice from "./notice";

const path = location.pathname + location.search;

beforeAll(() => loadMemberCatalog());
afterEach(() => history.replaceState(history.state, "", path));

async function openLink(token: string) {
  network.viewer = null;
  history.replaceState(history.state, "", `${path}#${token}`);
  return renderInApp(<Notice />, "/notice");
}

// proves: route-notice
test("the mailed link shows the notice, and its token leaves the address bar", async () => {
  const screen = await openLink("mock");
  await expect
    .element(screen.getByRole("heading", { name: "Your account was suspended" }))
    .toBeVisible();
  await expect.element(screen.getByText("1. Be kind. No insults and no threats.")).toBeVisible();
  expect(location.hash).toBe("");
});

// proves: route-notice-object
test("a member who can't log in objects once by the link", async () => {
  const screen = await openLink("mock");
  const object = screen.getByRole("button", { name: "Object: Your account was suspended" });
  await object.click();
  await screen.getByLabelText("Why is the decision wrong?").fill("We are old friends.");
  await screen.getByRole("button", { name: "Send objection" }).click();
  await expectToast("Objection sent", "Another moderator will look at it.");
  expect(network.linkedNotice.objection?.text).toBe("We are old friends.");
  await expect.element(screen.getByText("We are old friends.")).toBeVisible();
  await expect.element(object).not.toBeInTheDocument();
});

// proves: route-notice-invalid
test("a link that doesn't work says so", async () => {
  for (const token of ["another", ""]) {
    const screen = await openLink(token);
    await expect
      .element(screen.getByRole("heading", { name: "This link doesn't work" }))
      .toBeVisible();
    await expect.element(screen.getByText(/^Open it again from the email\./)).toBeVisible();
    await screen.unmount();
  }
});

// proves: route-notice-invalid
test("a failed request can be tried again", async () => {
  worker.use(
    http.post("/api/moderation-notices/by-link", ({ response }) =>
      response(503).json(errorBody("Busy.")),
    ),
  );
  const screen = await openLink("mock");
  await expect.element(screen.getByText("Busy.")).toBeVisible();
  worker.resetHandlers();
  await screen.getByRole("button", { name: "Try again" }).click();
  await expect
    .element(screen.getByRole("heading", { name: "Your account was suspended" }))
    .toBeVisible();
});
