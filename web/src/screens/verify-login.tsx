import { useMutation, useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { Link, useLocation } from "wouter";
import { ApiError, hasStatus, isRetryable, getErrorMessage } from "@/api/api-error";
import { type MagicLink, refetchCurrentUser, verifyMagicLink } from "@/api/auth";
import { useOneTimeQuery } from "@/lib/hooks/use-one-time-query";
import { Button, buttonClass } from "@/ui/button";
import { StatusPage } from "@/ui/status-page";
import { TextForm } from "@/components/text-form";

const REDIRECT_DELAY = 1_500;

interface VerificationResult {
  state: keyof typeof titles;
  text: string;
  mayRetry?: boolean;
}

export default function VerifyLogin() {
  const query = useOneTimeQuery();
  const [token, invite] = [query.get("token") ?? "", query.get("invite")];
  const link = { token, ...(invite !== null && { invite }) };
  // A query: one attempt a link, however often React mounts the screen.
  const verification = useQuery({
    queryKey: ["verification", token],
    queryFn: () => verify(link),
    enabled: token !== "",
  });
  /** Proves, where the browser can't, that the reader knows the email the link was sent to. */
  const confirm = useMutation({ mutationFn: (email: string) => verify(link, email) });
  const result = confirm.data ?? (verification.isFetching ? undefined : verification.data);
  const {
    state,
    text,
    mayRetry: canRetry,
  } = token === "" ? missingTokenResult : (result ?? loadingResult);
  const [, navigate] = useLocation();

  useEffect(() => {
    if (state !== "success") return undefined;
    const timer = setTimeout(() => navigate("/", { replace: true }), REDIRECT_DELAY);
    return () => clearTimeout(timer);
  }, [state, navigate]);

  return (
    <StatusPage busy={state === "loading"} title={titles[state]} text={text}>
      {state === "confirm" && (
        <TextForm
          name="email"
          mutation={confirm}
          describeError={getVerificationError}
          type="email"
          label="Email"
          hint="The email address the link was sent to."
          placeholder="you@example.com"
          autoComplete="email"
          required
          autoFocus
          button={{ children: "Continue", variant: "primary", size: "large", className: "w-full" }}
          pending="Logging in..."
          layout="w-full space-y-5 text-left"
        />
      )}
      {canRetry && (
        <Button size="large" onClick={() => void verification.refetch()}>
          Try again
        </Button>
      )}
      {state === "member" && (
        <Link href="/" replace className={buttonClass("primary", "large")}>
          Go to Home
        </Link>
      )}
      {state === "error" && (
        <Link href="/" className={buttonClass(canRetry ? "outline" : "primary", "large")}>
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

const missingTokenResult: VerificationResult = {
  state: "error",
  text: "No verification token found",
};
const loadingResult: VerificationResult = {
  state: "loading",
  text: "Please wait while we log you in",
};

async function verify(link: MagicLink, email?: string): Promise<VerificationResult> {
  try {
    await verifyMagicLink(link, email);
    await refetchCurrentUser();
    return { state: "success", text: "You are logged in. Taking you home..." };
  } catch (error) {
    if (email === undefined && hasStatus(error, 409) && error.code === "confirm_email") {
      return {
        state: "confirm",
        text: "You requested this link in a different browser. To continue here, enter the email address it was sent to.",
      };
    }
    const mayRetry = isRetryable(error);
    // A wrong email may be corrected; a link that is gone stays gone.
    const mayCorrect = mayRetry || hasStatus(error, 400, 409, 422);
    if (email !== undefined && mayCorrect) throw error;
    // A member may be logged in by then: by the code of the same mail, for example.
    const what = error instanceof ApiError ? linkErrorTexts[error.code ?? ""] : undefined;
    const currentUser = what && (await refetchCurrentUser());
    if (!currentUser) return { state: "error", text: getVerificationError(error), mayRetry };
    return { state: "member", text: `${what}. You're logged in as @${currentUser.username}.` };
  }
}

const linkErrorTexts: Readonly<Record<string, string>> = {
  link_used: "This link was used before",
  link_expired: "This link has expired",
};

function getVerificationError(error: unknown): string {
  return error instanceof ApiError
    ? getErrorMessage(error, "Verification failed")
    : "An error occurred during verification";
}
