import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";
import { accountQueryKeys } from "@/api/account";
import { api, unwrap, apiQueryOptions } from "@/api/client";
import { describeError, hasStatus } from "@/api/api-error";
import { focusMain } from "@/lib/dom/focus";
import { useOneTimeQuery } from "@/lib/hooks/use-one-time-query";
import { Button, buttonClass } from "@/ui/button";
import { StatusPage } from "@/ui/status-page";

/** Where the mails about a change of address lead. Nothing is done before a button is pressed. */
export default function ConfirmEmailChange() {
  const link = useOneTimeQuery();
  const token = link.get("token") ?? "";
  const initialStep = STEPS.find((name) => name === link.get("step")) ?? "new";
  // From the current mailbox, "This wasn't me" asks the question of the link that undoes the change.
  const [step, setStep] = useState(initialStep);
  const linkQuery = useQuery({
    ...apiQueryOptions(["email-link", token], () =>
      api.GET("/api/account/email/confirm", { params: { query: { token } } }),
    ),
    enabled: token !== "",
  });
  const confirm = useMutation({
    mutationFn: async (body: { token: string; notMe: boolean }) =>
      unwrap(await api.POST("/api/account/email/confirm", { body })),
    onSettled: () => focusMain(),
    // The member who is logged in here may be logged out now.
    meta: { invalidates: accountQueryKeys },
  });
  const { data, error } = confirm;
  // Trying again is for what failed, also where that was "This wasn't me".
  const variables = (error && confirm.variables) || { token, notMe: step !== initialStep };

  const errorMessage =
    token === ""
      ? "No verification token found"
      : error
        ? describeError(error)
        : isLinkInvalid(linkQuery.error) && describeError(linkQuery.error);
  const result = data && resultTexts[data.state];
  return (
    <StatusPage
      busy={confirm.isPending}
      title={result?.title ?? (errorMessage ? "Something went wrong" : stepTexts[step].title)}
      text={result?.text ?? (errorMessage || stepTexts[step].text)}
    >
      {linkQuery.data && !result && !errorMessage && (
        <dl className="w-full space-y-2 rounded-2xl border border-border px-5 py-4 text-left wrap-anywhere">
          <div>
            <dt className="text-sm text-muted-foreground">Account</dt>
            <dd className="font-medium">@{linkQuery.data.username}</dd>
          </div>
          <div>
            <dt className="text-sm text-muted-foreground">New email address</dt>
            <dd className="font-medium">{linkQuery.data.newEmail}</dd>
          </div>
        </dl>
      )}
      {token !== "" && !result && !isLinkInvalid(linkQuery.error) && (
        <div className="flex flex-col items-stretch gap-3">
          <Button
            size="large"
            variant={step === "undo" && !errorMessage ? "destructive" : "primary"}
            aria-disabled={confirm.isPending}
            onClick={() => !confirm.isPending && confirm.mutate(variables)}
          >
            {confirm.isPending
              ? "Just a moment..."
              : errorMessage
                ? "Try again"
                : stepTexts[step].action}
          </Button>
          {step !== "undo" && !errorMessage && (
            <Button
              size="large"
              variant="outline"
              aria-disabled={confirm.isPending}
              onClick={() => {
                if (confirm.isPending) return;
                if (step === "new") return confirm.mutate({ token, notMe: true });
                setStep("undo");
                focusMain();
              }}
            >
              This wasn't me
            </Button>
          )}
        </div>
      )}
      {(result || errorMessage) && (
        <Link href="/" className={buttonClass("outline", "large")}>
          To Kith
        </Link>
      )}
    </StatusPage>
  );
}

/** Whether the server says that the link can't be used any more, rather than that it can't answer now. */
function isLinkInvalid(error: unknown): boolean {
  return hasStatus(error, 400, 404, 410);
}

const STEPS = ["new", "old", "undo"] as const;

const stepTexts = {
  new: {
    title: "Confirm this email address?",
    text: "Your login links go here once you've confirmed from your current email address too.",
    action: "Confirm",
  },
  old: {
    title: "Change your email address?",
    text: "Your login links go to the new email address once you've confirmed from there too.",
    action: "Confirm",
  },
  undo: {
    title: "Wasn't you?",
    text: "We'll keep your current email address, or restore it if it was changed. All devices are logged out.",
    action: "Keep my email address",
  },
};

const resultTexts = {
  waiting: {
    title: "Confirmed",
    text: "Almost done: now confirm from your other email address. We've sent a link there.",
  },
  changed: {
    title: "Email address changed",
    text: "Your login links go to the new email address from now on.",
  },
  cancelled: {
    title: "Your email address stays the same",
    text: "The change was cancelled, and all devices are logged out.",
  },
  declined: {
    title: "Change cancelled",
    text: "This email address won't be used for that account. There's nothing else to do.",
  },
  restored: {
    title: "Your email address has been restored",
    text: "All devices are logged out. Log in again with a new link.",
  },
};
