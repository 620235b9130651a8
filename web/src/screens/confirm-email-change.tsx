import { msg, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
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
import { getSiteName } from "@/lib/site";

/** The target of links in emails about an email change. Changes nothing until a button is pressed. */
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
      ? t`No verification token found`
      : error
        ? describeError(error)
        : isLinkInvalid(linkQuery.error) && describeError(linkQuery.error);
  const result = data && resultTexts[data.state];
  return (
    <StatusPage
      busy={confirm.isPending}
      title={
        result ? t(result.title) : errorMessage ? t`Something went wrong` : t(stepTexts[step].title)
      }
      text={result ? t(result.text) : errorMessage || t(stepTexts[step].text)}
    >
      {linkQuery.data && !result && !errorMessage && (
        <dl className="w-full space-y-2 rounded-2xl border border-border px-5 py-4 text-start wrap-anywhere">
          <div>
            <dt className="text-sm text-muted-foreground">
              <Trans>Account</Trans>
            </dt>
            <dd className="font-medium">
              <bdi>@{linkQuery.data.username}</bdi>
            </dd>
          </div>
          <div>
            <dt className="text-sm text-muted-foreground">
              <Trans>New email address</Trans>
            </dt>
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
              ? t`Just a moment...`
              : errorMessage
                ? t`Try again`
                : t(stepTexts[step].action)}
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
              <Trans>This wasn't me</Trans>
            </Button>
          )}
        </div>
      )}
      {(result || errorMessage) && (
        <Link href="/" className={buttonClass("outline", "large")}>
          {t`To ${{ siteName: getSiteName() }}`}
        </Link>
      )}
    </StatusPage>
  );
}

/** Whether the link is invalid, rather than the server temporarily unavailable. */
function isLinkInvalid(error: unknown): boolean {
  return hasStatus(error, 400, 404, 410);
}

const STEPS = ["new", "old", "undo"] as const;

const stepTexts = {
  new: {
    title: msg`Confirm this email address?`,
    text: msg`Your login links go here once you've confirmed from your current email address too.`,
    action: msg`Confirm`,
  },
  old: {
    title: msg`Change your email address?`,
    text: msg`Your login links go to the new email address once you've confirmed from there too.`,
    action: msg`Confirm`,
  },
  undo: {
    title: msg`Wasn't you?`,
    text: msg`We'll keep your current email address, or restore it if it was changed. All devices are logged out.`,
    action: msg`Keep my email address`,
  },
};

const resultTexts = {
  waiting: {
    title: msg`Confirmed`,
    text: msg`Almost done: now confirm from your other email address. We've sent a link there.`,
  },
  changed: {
    title: msg`Email address changed`,
    text: msg`Your login links go to the new email address from now on.`,
  },
  cancelled: {
    title: msg`Your email address stays the same`,
    text: msg`The change was cancelled, and all devices are logged out.`,
  },
  declined: {
    title: msg`Change cancelled`,
    text: msg`This email address won't be used for that account. There's nothing else to do.`,
  },
  restored: {
    title: msg`Your email address has been restored`,
    text: msg`All devices are logged out. Log in again with a new link.`,
  },
};
