import { afterEach, expect, test, vi } from "vitest";
import { userEvent } from "vitest/browser";
import { queryClient } from "@/api/query-client";
import { queryKeys } from "@/api/query-keys";
import { defaultSite, site } from "@/lib/site";
import { createDeferred } from "@/test/deferred";
import { network } from "@/test/mock-api/network";
import { errorBody, http } from "@/test/mock-api/typed-http";
import { worker } from "@/test/mock-api/worker";
import { expectToast, renderInApp } from "@/test/render";
import LoginDialog from "./login-dialog";

let close = async () => {};

async function renderDialog(initialMode: "signup" | "login") {
  network.viewer = null;
  const onClose = vi.fn();
  const screen = await renderInApp(
    <LoginDialog initialMode={initialMode} inviteCode="" onClose={onClose} />,
  );
  // Only closing it discards the input.
  close = () => screen.getByRole("button", { name: "Close" }).click();
  return {
    screen,
    email: screen.getByLabelText("Email", { exact: true }),
    inviteCode: screen.getByLabelText("Invite code"),
    submit: screen.getByRole("button", { name: /^Send/ }),
  };
}

/** Renders the dialog after a login link was requested. */
async function renderCodeEntry() {
  const { screen, email, submit } = await renderDialog("login");
  await userEvent.fill(email, "mara@example.org");
  await submit.click();
  return {
    screen,
    code: screen.getByLabelText("Or enter the code from the email"),
    logIn: screen.getByRole("button", { name: "Log in with code" }),
  };
}

afterEach(() => close());

// proves: login-email-required
test("a login without an email asks for it and sends nothing", async () => {
  const request = vi.fn();
  worker.use(http.post("/api/auth/request-login-link", request));
  const { email, inviteCode, submit } = await renderDialog("login");
  await expect.element(inviteCode).not.toBeInTheDocument();
  await userEvent.fill(email, "  ");
  await submit.click();
  await expectToast("Email required", "Please enter your email address.");
  await expect.element(email).toHaveAttribute("aria-invalid", "true");
  await expect.element(email).toHaveFocus();
  expect(request).not.toHaveBeenCalled();
});

// proves: login-invite-required, login-invite-uppercase
test("a sign-up asks for the invite code first", async () => {
  const { email, inviteCode, submit, screen } = await renderDialog("signup");
  await submit.click();
  await expectToast("Invite code required", "Please enter your invite code.");
  await expect.element(inviteCode).toHaveFocus();
  await expect.element(email).toHaveAttribute("aria-invalid", "false");
  await userEvent.type(inviteCode, "abcd2345efgh");
  await expect.element(inviteCode).toHaveValue("ABCD2345EFGH");
  await screen.getByRole("button", { name: /Log in$/ }).click();
  await expect.element(inviteCode).not.toBeInTheDocument();
});

// proves: login-pending, login-refused
test("the server's sentence about a field is at the field, which takes the focus", async () => {
  const sentence = "This invite code is not valid.";
  const { promise, resolve } = createDeferred();
  worker.use(
    http.post("/api/auth/request-magic-link", async ({ response }) => {
      await promise;
      return response(400).json(errorBody(sentence, { inviteCode: sentence }));
    }),
  );
  const { email, inviteCode, submit } = await renderDialog("signup");
  await userEvent.fill(inviteCode, "ABCD2345EFGH");
  await userEvent.fill(email, "nora@example.org");
  await submit.click();
  await expect.element(submit).toHaveTextContent("Sending...");
  await expect.element(email).toHaveAttribute("readonly");
  resolve();
  await expectToast("Error", sentence);
  await expect.element(inviteCode).toHaveFocus();
  await expect.element(inviteCode).toHaveAccessibleDescription(sentence);
  await expect.element(email).toHaveAttribute("aria-invalid", "false");
  await expect.element(inviteCode).toHaveValue("ABCD2345EFGH");
});

// proves: login-failed-login, login-failed-signup
test.each([
  ["login", "Failed to send login link. Please try again."],
  ["signup", "Failed to send magic link. Please try again."],
] as const)("a failed %s has a sentence without the server", async (mode, sentence) => {
  const failure = errorBody("");
  worker.use(
    http.post("/api/auth/request-login-link", ({ response }) => response(503).json(failure)),
    http.post("/api/auth/request-magic-link", ({ response }) => response(503).json(failure)),
  );
  const { email, inviteCode, submit } = await renderDialog(mode);
  await userEvent.fill(email, "mara@example.org");
  if (mode === "signup") await userEvent.fill(inviteCode, "ABCD2345EFGH");
  await submit.click();
  await expectToast("Error", sentence);
});

// proves: login-sent, login-toast-login, login-code-field
test("a wrong code is an error at its field; the right one logs in", async () => {
  const { screen, code, logIn } = await renderCodeEntry();
  await expectToast("Check your email!", "If an account exists, we've sent you a magic link.");
  await expect.element(screen.getByText("mara@example.org")).toBeVisible();
  await expect.element(logIn).toBeDisabled();
  await userEvent.type(code, "wrong23");
  await expect.element(logIn).toBeDisabled();
  await userEvent.type(code, "4");
  await expect.element(code).toHaveValue("WRONG234");
  await logIn.click();
  const sentence = "That code is wrong. Check the newest email.";
  await expect.element(code).toHaveAccessibleDescription(sentence);
  await expect.element(code).toHaveFocus();
  expect(queryClient.getQueryData(queryKeys.currentUser)).toBeNull();
  // As people copy it from a mail.
  await userEvent.fill(code, "kith-2345");
  await logIn.click();
  await expect
    .poll(() => queryClient.getQueryData(queryKeys.currentUser))
    .toMatchObject({ username: "mara" });
});

// proves: login-next-mail
test("another email can be requested once the server allows it", async () => {
  let seconds = 60;
  worker.use(
    http.post("/api/auth/request-login-link", ({ response }) =>
      response(200).json({ message: "", nextMailInSeconds: seconds }),
    ),
  );
  const { screen } = await renderCodeEntry();
  await expect.element(screen.getByText(/You can ask for another one in \d+ s\./)).toBeVisible();
  await screen.getByRole("button", { name: "Back to login" }).click();
  seconds = 0;
  await userEvent.fill(screen.getByLabelText("Email", { exact: true }), "mara@example.org");
  await screen.getByRole("button", { name: "Send magic link" }).click();
  const again = screen.getByRole("button", { name: "Send another email" });
  await expect.element(again).toBeVisible();
  seconds = 42;
  await again.click();
  await expect
    .element(screen.getByText(/^You asked less than a minute ago.* in 4[12] s\.$/))
    .toBeVisible();
});

// proves: login-back
test("back to login clears the email and keeps the mode", async () => {
  const { screen } = await renderCodeEntry();
  await screen.getByRole("button", { name: "Back to login" }).click();
  await expect.element(screen.getByLabelText("Email", { exact: true })).toHaveValue("");
  await expect.element(screen.getByLabelText("Invite code")).not.toBeInTheDocument();
});

// proves: identity-rules-signup
test("a sign-up agrees to the rules, where there are some, and a login does not", async () => {
  site.set({ ...defaultSite, rulesVersion: 2 });
  const { screen } = await renderDialog("signup");
  const link = screen.getByRole("link", { name: "rules" });
  await expect.element(link).toHaveAttribute("href", "/rules");
  await screen.getByRole("button", { name: /Log in$/ }).click();
  await expect.element(link).not.toBeInTheDocument();
  site.set(defaultSite);
});
