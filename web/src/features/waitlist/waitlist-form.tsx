import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useMutation } from "@tanstack/react-query";
import { ArrowRight, Check } from "lucide-react";
import { useState } from "react";
import { api } from "@/api/client";
import { useServerForm } from "@/components/use-server-form";

const getMissingEmail = () =>
  ({
    field: "email",
    title: t`Email required`,
    text: t`Please enter your email address.`,
  }) as const;

/** The landing page's one-field form; afterwards, the promise in its place. */
export function WaitlistForm() {
  const [values, setValues] = useState({ email: "" });
  const join = useMutation({
    mutationFn: (submittedEmail: string) =>
      api.POST("/api/waitlist", { body: { email: submittedEmail } }),
    meta: {
      success: {
        title: t`You're on the list!`,
        description: t`We'll let you know when it's your turn.`,
      },
      failure: t`Failed to join waitlist. Please try again.`,
    },
  });

  const { form, field, isPending } = useServerForm({
    values,
    setValues,
    mutation: join,
    validate: ({ email }) => (email.trim() === "" ? getMissingEmail() : null),
    toVariables: ({ email }) => email.trim(),
  });
  // A toast shows the error.
  const { error, ...emailField } = field("email");

  if (join.isSuccess) {
    return (
      <div role="status" className="flex max-w-md items-start gap-4">
        <span className="mt-1 flex size-10 shrink-0 items-center justify-center rounded-full bg-landing-success text-landing-success-foreground">
          <Check size={20} aria-hidden />
        </span>
        <div>
          <p className="text-lg font-semibold">
            <Trans>You're on the list.</Trans>
          </p>
          <p className="text-landing-muted-foreground wrap-anywhere">
            <Trans>We'll email {join.variables} when it's your turn.</Trans>
          </p>
        </div>
      </div>
    );
  }
  return (
    <form {...form} className="max-w-md">
      <div className="flex h-14 items-center rounded-full border border-white/30 bg-landing-field pe-1.5 ps-6 backdrop-blur-md focus-within:border-landing-focus focus-within:ring-3 focus-within:ring-landing-ring">
        <input
          {...emailField}
          type="email"
          autoComplete="email"
          aria-invalid={error !== undefined}
          aria-label={t`Email address`}
          placeholder="you@example.com"
          className="h-11 min-w-0 flex-1 bg-transparent text-base outline-none placeholder:text-white/75"
        />
        <button
          type="submit"
          aria-disabled={isPending}
          className="inline-flex h-11 shrink-0 items-center gap-2 rounded-full bg-landing-button px-5 font-semibold text-landing-button-foreground transition-colors hover:bg-landing-button-hover aria-disabled:opacity-80"
        >
          {isPending ? t`Joining...` : t`Join waitlist`}
          {!isPending && (
            <ArrowRight size={18} aria-hidden className="max-sm:hidden rtl:-scale-x-100" />
          )}
        </button>
      </div>
      <p className="mt-3 ps-1 text-body-sm text-landing-muted-foreground">
        <Trans>Join the movement. Be among the first.</Trans>
      </p>
    </form>
  );
}
