import { msg, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { Link, useLocation } from "wouter";
import { ApiError, hasStatus, isRetryable, getLoginErrorMessage } from "@/api/api-error";
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
  } = token === "" ? getMissingTokenResult() : (result ?? getLoadingResult());
  const [, navigate] = useLocation();

  useEffect(() => {
    if (state !== "success") return undefined;
    const timer = setTimeout(() => navigate("/", { replace: true }), REDIRECT_DELAY);
    return () => clearTimeout(timer);
  }, [state, navigate]);

  return (
    <StatusPage busy={state === "loading"} title={t(titles[state])} text={text}>
      {state === "confirm" && (
        <TextForm
          name="email"
          mutation={confirm}
          describeError={getVerificationError}
          type="email"
          label={t`Email`}
          hint={t`The email address the link was sent to.`}
          placeholder="you@example.com"
          autoComplete="email"
          required
          autoFocus
          button={{ children: t`Continue`, variant: "primary", size: "large", className: "w-full" }}
          pending={t`Logging in...`}
          layout="w-full space-y-5 text-start"
        />
      )}
      {canRetry && (
        <Button size="large" onClick={() => void verification.refetch()}>
          <Trans>Try again</Trans>
        </Button>
      )}
      {state === "member" && (
        <Link href="/" replace className={buttonClass("primary", "large")}>
          <Trans>Go to Home</Trans>
        </Link>
      )}
      {state === "error" && (
        <Link href="/" className={buttonClass(canRetry ? "outline" : "primary", "large")}>
          <Trans>Back to home</Trans>
        </Link>
      )}
    </StatusPage>
  );
}

const titles = {
  loading: msg`Verifying...`,
  confirm: msg`Is this you?`,
  success: msg`Success!`,
  member: msg`You're already logged in`,
  error: msg`Verification failed`,
};

const getMissingTokenResult = (): VerificationResult => ({
  state: "error",
  text: t`No verification token found`,
});
const getLoadingResult = (): VerificationResult => ({
  state: "loading",
  text: t`Please wait while we log you in`,
});

async function verify(link: MagicLink, email?: string): Promise<VerificationResult> {
  try {
    await verifyMagicLink(link, email);
    await refetchCurrentUser();
    return { state: "success", text: t`You are logged in. Taking you home...` };
  } catch (error) {
    if (email === undefined && hasStatus(error, 409) && error.code === "confirm_email") {
      return {
        state: "confirm",
        text: t`You requested this link in a different browser. To continue here, enter the email address it was sent to.`,
      };
    }
    const mayRetry = isRetryable(error);
    // A wrong email may be corrected; a link that is gone stays gone.
    const mayCorrect = mayRetry || hasStatus(error, 400, 409, 422);
    if (email !== undefined && mayCorrect) throw error;
    // A member may be logged in by then: by the code of the same mail, for example.
    const describe = error instanceof ApiError ? linkErrorTexts[error.code ?? ""] : undefined;
    const currentUser = describe && (await refetchCurrentUser());
    if (!currentUser) return { state: "error", text: getVerificationError(error), mayRetry };
    return { state: "member", text: describe(currentUser.username) };
  }
}

/** Messages for a member who is logged in already, by error code. */
const linkErrorTexts: Readonly<Record<string, (username: string) => string>> = {
  link_used: (username) => t`This link was used before. You're logged in as @${username}.`,
  link_expired: (username) => t`This link has expired. You're logged in as @${username}.`,
};

function getVerificationError(error: unknown): string {
  return error instanceof ApiError
    ? getLoginErrorMessage(error, t`Verification failed`)
    : t`An error occurred during verification`;
}
