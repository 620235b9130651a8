import { useEffect } from "react";
import { Link, useLocation } from "wouter";
import { ConfirmEmailForm } from "@/features/auth/confirm-email-form";
import { useVerification } from "@/features/auth/use-verification";
import { focusMain } from "@/lib/focus-main";
import { useTitle } from "@/lib/use-title";
import { Button, buttonClass } from "@/ui/button";
import { Logo } from "@/ui/logo";

const REDIRECT_DELAY = 1_500;

/** Where a mailed link leads. */
export default function Verify() {
  const { verification, confirm, retry } = useVerification();
  const [, navigate] = useLocation();
  const { state } = verification;
  const mayRetry = verification.state === "error" && verification.mayRetry;
  useTitle("Verifying");

  useEffect(() => {
    if (state !== "success") return undefined;
    const timer = setTimeout(() => navigate("/", { replace: true }), REDIRECT_DELAY);
    return () => clearTimeout(timer);
  }, [state, navigate]);

  return (
    <main
      tabIndex={-1}
      className="mx-auto flex min-h-dvh max-w-md flex-col items-center justify-center gap-8 px-6 py-16 text-center outline-none"
    >
      <span className={state === "loading" ? "animate-breathe" : undefined}>
        <Logo size={40} markOnly />
      </span>
      <div role="status" className="space-y-2">
        <h1 className="font-serif text-5xl leading-tight text-balance">{titles[state]}</h1>
        <p className="text-lg text-balance text-muted">
          {verification.state === "error" ? verification.message : texts[state]}
        </p>
      </div>
      {verification.state === "confirm" && (
        <ConfirmEmailForm
          pending={verification.pending}
          error={verification.error}
          onConfirm={(email) => void confirm(email)}
        />
      )}
      {mayRetry && (
        <Button
          size="large"
          onClick={() => {
            // The button goes while it tries.
            focusMain();
            void retry();
          }}
        >
          Try again
        </Button>
      )}
      {state === "error" && (
        <Link href="/" className={buttonClass(mayRetry ? "outline" : "primary", "large")}>
          Back to home
        </Link>
      )}
    </main>
  );
}

const titles = {
  loading: "Verifying...",
  confirm: "Is this you?",
  success: "Success!",
  error: "Verification failed",
};

const texts = {
  loading: "Please wait while we log you in",
  confirm:
    "This link was asked for in another browser. To log in here, enter the email address it was sent to.",
  success: "You are logged in. Taking you home...",
  error: "",
};
