import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { getLoginErrorMessage } from "@/api/api-error";
import { refetchCurrentUser, verifyCode } from "@/api/auth";
import { usePreservedInput } from "@/components/use-preserved-input";
import { currentToast } from "@/lib/state/toast";
import { SubmitButton } from "@/ui/submit-button";
import { TextField } from "@/ui/text-field";
import { useServerForm } from "@/components/use-server-form";
import { type RequestedMagicLink, useRequestMagicLink } from "./use-request-magic-link";

export const LOGIN_CODE_FORM = "login-code";
const CODE_LENGTH = 8;

interface Props {
  magicLink: RequestedMagicLink;
  onResent: (sent: RequestedMagicLink) => void;
  onBack: () => void;
}

export function CheckEmailStep({ magicLink, onResent, onBack }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  const [values, setValues] = usePreservedInput(LOGIN_CODE_FORM, { code: "" });
  const verify = useMutation({
    mutationFn: verifyCode,
    async onSuccess() {
      // The toast "Check your email!" is obsolete.
      currentToast.set(null);
      await refetchCurrentUser();
    },
  });
  const code = values.code.replace(/[^A-Z0-9]/g, "");
  const isComplete = code.length === CODE_LENGTH;
  const { form, field, isPending } = useServerForm({
    values,
    setValues,
    mutation: verify,
    toVariables: () => (isComplete ? code : null),
    describeError: (error) => ({
      code: getLoginErrorMessage(error, t`That didn't work. Please try again.`),
    }),
  });

  useEffect(() => heading.current?.focus(), []);

  return (
    <div className="space-y-5 px-6 pt-4 pb-6">
      <div>
        <h2 ref={heading} tabIndex={-1} className="text-lg font-semibold outline-none">
          <Trans>Check your email</Trans>
        </h2>
        <p className="mt-1 text-muted-foreground wrap-anywhere">
          <Trans>
            We sent a link to{" "}
            <strong className="font-semibold text-foreground">{magicLink.email}</strong>. The link
            expires in 15 minutes.
          </Trans>
        </p>
      </div>
      <form {...form} className="space-y-4 border-t border-border pt-5">
        <TextField
          {...field("code", (text) => text.toUpperCase())}
          label={t`Or enter the code from the email`}
          hint={t`Eight letters and digits. Works only in this browser.`}
          maxLength={12}
          autoComplete="one-time-code"
          autoCapitalize="characters"
          spellCheck={false}
          className="text-center text-lg font-medium tracking-login-code"
        />
        <SubmitButton
          size="large"
          className="w-full"
          disabled={!isComplete}
          isPending={isPending}
          pending={t`Logging in...`}
        >
          <Trans>Log in with code</Trans>
        </SubmitButton>
      </form>
      <ResendLink key={magicLink.nextMailAt} magicLink={magicLink} onSent={onResent} />
      <p className="text-center">
        <button
          type="button"
          onClick={onBack}
          className="min-h-9 pointer-coarse:min-h-11 text-body-sm font-semibold text-primary-strong hover:underline"
        >
          <Trans>Back to login</Trans>
        </button>
      </p>
    </div>
  );
}

function ResendLink({
  magicLink,
  onSent,
}: {
  magicLink: RequestedMagicLink;
  onSent: Props["onResent"];
}) {
  const request = useRequestMagicLink(onSent);
  const [now, setNow] = useState(Date.now);
  const secondsLeft = Math.ceil((magicLink.nextMailAt - now) / 1_000);
  const canResend = secondsLeft <= 0;
  useEffect(() => {
    if (canResend) return undefined;
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [canResend]);
  if (!canResend) {
    return (
      <p className="text-center text-body-sm text-balance text-muted-foreground">
        {magicLink.isRepeated ? (
          <Trans>
            You asked less than a minute ago, so we didn't send another email. You can ask again in{" "}
            <span className="whitespace-nowrap tabular-nums">{secondsLeft} s</span>.
          </Trans>
        ) : (
          <Trans>
            No email yet? You can ask for another one in{" "}
            <span className="whitespace-nowrap tabular-nums">{secondsLeft} s</span>.
          </Trans>
        )}
      </p>
    );
  }
  return (
    <p className="text-center">
      <button
        type="button"
        aria-disabled={request.isPending}
        onClick={() => !request.isPending && request.mutate(magicLink)}
        className="min-h-9 text-body-sm font-semibold text-primary-strong hover:underline"
      >
        {request.isPending ? t`Sending...` : t`Send another email`}
      </button>
    </p>
  );
}
