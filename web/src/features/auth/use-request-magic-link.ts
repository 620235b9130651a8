import { msg, t } from "@lingui/core/macro";
import { useMutation } from "@tanstack/react-query";
import { api, unwrap } from "@/api/client";

export type AuthMode = "signup" | "login";

const messages = {
  signup: {
    success: msg`We sent you a magic link to log in.`,
    failure: msg`Failed to send magic link. Please try again.`,
  },
  login: {
    success: msg`If an account exists, we've sent you a magic link.`,
    failure: msg`Failed to send login link. Please try again.`,
  },
};

export interface LoginInput {
  mode: AuthMode;
  email: string;
  inviteCode: string;
}

export interface RequestedMagicLink extends LoginInput {
  nextMailAt: number;
  /** Whether this browser requested it less than a minute before, so that no further mail is sent. */
  isRepeated: boolean;
}

const RESEND_DELAY_SECONDS = 60;

/** Requests a mailed link, and shows the result as a toast. `onSent` is not called once the form is closed. */
export function useRequestMagicLink(onSent: (sent: RequestedMagicLink) => void) {
  const mutation = useMutation({
    async mutationFn({ mode, email, inviteCode }: LoginInput): Promise<RequestedMagicLink> {
      const { nextMailInSeconds: seconds } = unwrap(
        mode === "signup"
          ? await api.POST("/api/auth/request-magic-link", { body: { email, inviteCode } })
          : await api.POST("/api/auth/request-login-link", { body: { email } }),
      );
      const nextMailAt = Date.now() + seconds * 1_000;
      return { mode, email, inviteCode, nextMailAt, isRepeated: seconds < RESEND_DELAY_SECONDS };
    },
    meta: {
      success: ({ mode, isRepeated }: RequestedMagicLink) =>
        isRepeated ? null : { title: t`Check your email!`, description: t(messages[mode].success) },
      failure: (_: Error, { mode }: LoginInput) => t(messages[mode].failure),
    },
  });
  const mutate = (request: LoginInput) => mutation.mutate(request, { onSuccess: onSent });
  return { ...mutation, mutate };
}
