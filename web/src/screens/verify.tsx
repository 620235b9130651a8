import { useEffect } from "react";
import { Link, useLocation } from "wouter";
import { useVerification } from "@/features/auth/use-verification";
import { Button, buttonClass } from "@/ui/button";
import { StatusPage } from "@/ui/status-page";
import { TextForm } from "@/ui/text-form";

const REDIRECT_DELAY = 1_500;

export default function Verify() {
  const { verification, confirm, confirmError, retry } = useVerification();
  const [, navigate] = useLocation();
  const { state } = verification;
  const mayRetry = verification.state === "error" && verification.mayRetry;

  useEffect(() => {
    if (state !== "success") return undefined;
    const timer = setTimeout(() => navigate("/", { replace: true }), REDIRECT_DELAY);
    return () => clearTimeout(timer);
  }, [state, navigate]);

  return (
    <StatusPage
      busy={state === "loading"}
      title={titles[state]}
      text={"message" in verification ? verification.message : texts[verification.state]}
    >
      {verification.state === "confirm" && (
        <TextForm
          name="email"
          mutation={confirm}
          error={confirmError}
          type="email"
          label="Email"
          hint="The email address the link was sent to."
          placeholder="you@example.com"
          autoComplete="email"
          required
          autoFocus
          button={{ children: "Continue", look: "primary", size: "large", className: "w-full" }}
          pending="Logging in..."
          layout="w-full space-y-5 text-left"
        />
      )}
      {mayRetry && (
        <Button size="large" onClick={retry}>
          Try again
        </Button>
      )}
      {state === "member" && (
        <Link href="/" replace className={buttonClass("primary", "large")}>
          Go to Home
        </Link>
      )}
      {state === "error" && (
        <Link href="/" className={buttonClass(mayRetry ? "outline" : "primary", "large")}>
          Back to home
        </Link>
      )}
    </StatusPage>
  );
}

const titles = {
  loading: "Verifying...",
  confirm: "Is this you?",
  success: "Success!",
  member: "You're already logged in",
  error: "Verification failed",
};

const texts = {
  loading: "Please wait while we log you in",
  confirm:
    "You requested this link in a different browser. To continue here, enter the email address it was sent to.",
  success: "You are logged in. Taking you home...",
};
