import { useMutation, useQuery } from "@tanstack/react-query";
import { useLayoutEffect, useState } from "react";
import { Link } from "wouter";
import { confirmEmail, emailLinkQuery } from "@/api/account";
import { failureSentence, hasStatus } from "@/api/error";
import type { EmailLink } from "@/api/types";
import { focusMain } from "@/lib/focus";
import { Button, buttonClass } from "@/ui/button";
import { StatusPage } from "@/ui/status-page";

/** Where the mails about a change of address lead. Nothing is done before a button is pressed. */
export default function ConfirmEmail() {
  const [{ token, step: asked }] = useState(readLink);
  // From the current mailbox, "This wasn't me" asks the question of the link that undoes the change.
  const [step, setStep] = useState(asked);
  const about = useQuery({ ...emailLinkQuery(token ?? ""), enabled: token !== null });
  const confirm = useMutation({ mutationFn: confirmEmail, onSettled: () => focusMain() });
  const { data: state, error } = confirm;
  // Trying again is for what failed, also where that was "This wasn't me".
  const next = (error && confirm.variables) || { token: token ?? "", notMe: step !== asked };

  // The token belongs to nobody who reads the address or the history.
  useLayoutEffect(() => {
    history.replaceState(history.state, "", location.pathname);
  }, []);

  const failed =
    token === null
      ? "No verification token found"
      : error
        ? failureSentence(error)
        : isOver(about.error) && failureSentence(about.error);
  const told = state ? answers[state] : undefined;
  return (
    <StatusPage
      busy={confirm.isPending}
      title={told?.title ?? (failed ? "Something went wrong" : questions[step].title)}
      text={told?.text ?? (failed || questions[step].text)}
    >
      {about.data && !told && !failed && <Change {...about.data} />}
      {token !== null && !told && !isOver(about.error) && (
        <div className="flex flex-col items-stretch gap-3">
          <Button
            size="large"
            look={step === "undo" && !failed ? "danger" : "primary"}
            aria-disabled={confirm.isPending}
            onClick={() => !confirm.isPending && confirm.mutate(next)}
          >
            {confirm.isPending ? "Just a moment..." : failed ? "Try again" : questions[step].action}
          </Button>
          {step !== "undo" && !failed && (
            <Button
              size="large"
              look="outline"
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
      {(told || failed) && (
        <Link href="/" className={buttonClass("outline", "large")}>
          To Kith
        </Link>
      )}
    </StatusPage>
  );
}

function Change({ username, newEmail }: EmailLink) {
  return (
    <dl className="w-full space-y-2 rounded-2xl border border-line px-5 py-4 text-left [overflow-wrap:anywhere]">
      <div>
        <dt className="text-sm text-muted">Account</dt>
        <dd className="font-medium">@{username}</dd>
      </div>
      <div>
        <dt className="text-sm text-muted">New email address</dt>
        <dd className="font-medium">{newEmail}</dd>
      </div>
    </dl>
  );
}

/** Whether the server says that the link can't be used any more, rather than that it can't answer now. */
function isOver(error: unknown): boolean {
  return hasStatus(error, 400, 404, 410);
}

const questions = {
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

const answers = {
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

function isStep(text: string | null): text is keyof typeof questions {
  return text !== null && Object.hasOwn(questions, text);
}

function readLink() {
  const query = new URLSearchParams(location.search);
  const step = query.get("step");
  return { token: query.get("token") || null, step: isStep(step) ? step : ("new" as const) };
}
