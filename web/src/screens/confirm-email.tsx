import { useMutation } from "@tanstack/react-query";
import { useLayoutEffect, useState } from "react";
import { Link } from "wouter";
import { confirmEmail } from "@/api/account";
import { failureSentence } from "@/api/error";
import { focusMain } from "@/lib/focus-main";
import { useTitle } from "@/lib/use-title";
import { Button, buttonClass } from "@/ui/button";
import { Logo } from "@/ui/logo";

/** Where the mails about a change of address lead. Nothing is done before a button is pressed. */
export default function ConfirmEmail() {
  const [{ token, step }] = useState(readLink);
  const confirm = useMutation({ mutationFn: confirmEmail, onSettled: () => focusMain() });
  const { data: state, error } = confirm;
  useTitle("Your address");

  // The token belongs to nobody who reads the address or the history.
  useLayoutEffect(() => {
    history.replaceState(history.state, "", location.pathname);
  }, []);

  const failed = token === null ? "No verification token found" : error && failureSentence(error);
  const told = state ? answers[state] : undefined;
  return (
    <main
      tabIndex={-1}
      className="mx-auto flex min-h-dvh max-w-md flex-col items-center justify-center gap-8 px-6 py-16 text-center outline-none"
    >
      <span className={confirm.isPending ? "animate-breathe" : undefined}>
        <Logo size={40} markOnly />
      </span>
      <div role="status" className="space-y-2">
        <h1 className="font-serif text-5xl leading-tight text-balance">
          {told?.title ?? (failed ? "That did not work" : questions[step].title)}
        </h1>
        <p className="text-lg text-balance text-muted">
          {told?.text ?? (failed || questions[step].text)}
        </p>
      </div>
      {token !== null && !told && (
        <Button
          size="large"
          look={step === "undo" && !failed ? "danger" : "primary"}
          aria-disabled={confirm.isPending}
          onClick={() => !confirm.isPending && confirm.mutate(token)}
        >
          {confirm.isPending ? "Just a moment..." : failed ? "Try again" : questions[step].action}
        </Button>
      )}
      {(told || failed) && (
        <Link href="/" className={buttonClass("outline", "large")}>
          To Kith
        </Link>
      )}
    </main>
  );
}

const questions = {
  new: {
    title: "Confirm this address?",
    text: "Your login links for Kith then go to this mailbox, once the old one has confirmed too.",
    action: "Confirm",
  },
  old: {
    title: "Change your address?",
    text: "Your login links for Kith then go to the new address, once it has confirmed too.",
    action: "Confirm",
  },
  undo: {
    title: "This was not you?",
    text: "Your address stays, or comes back if it has changed. All devices are logged out.",
    action: "Keep my address",
  },
};

const answers = {
  waiting: {
    title: "Confirmed",
    text: "Now the other mailbox must confirm. The link is in the mail that we've sent there.",
  },
  changed: {
    title: "Address changed",
    text: "Your login links go to the new address from now on.",
  },
  cancelled: {
    title: "Your address stays",
    text: "The change was called off, and all devices are logged out.",
  },
  restored: {
    title: "Your address is back",
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
