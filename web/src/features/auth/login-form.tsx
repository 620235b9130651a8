import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { SubmitButton } from "@/ui/submit-button";
import { TextField } from "@/ui/text-field";
import { useServerForm } from "@/components/use-server-form";
import {
  type AuthMode,
  type LoginInput,
  type RequestedMagicLink,
  useRequestMagicLink,
} from "./use-request-magic-link";
import { getSiteName, site } from "@/lib/site";
import { useStore } from "@/lib/state/store";

interface Props {
  input: LoginInput;
  onChange: (parts: Partial<LoginInput>) => void;
  onSent: (sent: RequestedMagicLink) => void;
}

const getMissingEmail = () =>
  ({
    field: "email",
    title: t`Email required`,
    text: t`Please enter your email address.`,
  }) as const;

const getMissingInviteCode = () =>
  ({
    field: "inviteCode",
    title: t`Invite code required`,
    text: t`Please enter your invite code.`,
  }) as const;

/** The required fields of each mode in order, with the error of an empty one. */
const getRequiredFields = (mode: AuthMode) =>
  mode === "signup" ? [getMissingInviteCode(), getMissingEmail()] : [getMissingEmail()];

const legalLinkProps = {
  target: "_blank",
  rel: "noreferrer",
  className: "underline underline-offset-2 hover:text-foreground",
};

export function LoginForm({ input: { mode, inviteCode, email }, onChange, onSent }: Props) {
  const request = useRequestMagicLink(onSent);
  const { rulesVersion } = useStore(site);
  const { form, field, isPending, clearProblem } = useServerForm({
    values: { inviteCode, email },
    setValues: onChange,
    mutation: request,
    validate: (values) =>
      getRequiredFields(mode).find(({ field: name }) => values[name].trim() === "") ?? null,
    toVariables: (values) => ({
      mode,
      email: values.email.trim(),
      inviteCode: values.inviteCode.trim(),
    }),
  });
  return (
    <form {...form} className="space-y-5 px-6 pt-5 pb-6">
      {mode === "signup" && (
        <TextField
          {...field("inviteCode", (text) => text.toUpperCase())}
          label={t`Invite code`}
          hint={t`${{ siteName: getSiteName() }} is invite-only. Your code comes from a friend who is already here.`}
          placeholder="ABCD2345EFGH"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          className="font-medium tracking-code placeholder:font-normal"
        />
      )}
      <TextField
        {...field("email")}
        type="email"
        label={t`Email`}
        placeholder="you@example.com"
        autoComplete="email"
      />
      <SubmitButton size="large" className="w-full" isPending={isPending} pending={t`Sending...`}>
        <Trans>Send magic link</Trans>
      </SubmitButton>
      <p className="text-center">
        <button
          type="button"
          onClick={() => {
            clearProblem();
            request.reset();
            onChange({ mode: mode === "signup" ? "login" : "signup" });
          }}
          className="min-h-9 pointer-coarse:min-h-11 text-body-sm font-semibold text-primary-strong hover:underline"
        >
          {mode === "signup"
            ? t`Already have an account? Log in`
            : t`New user? Sign up with invite code`}
        </button>
      </p>
      <p className="border-t border-border pt-4 text-center text-sm text-balance text-muted-foreground">
        <Trans>
          By continuing you agree to our{" "}
          <a href="/terms" {...legalLinkProps}>
            Terms
          </a>{" "}
          and{" "}
          <a href="/privacy" {...legalLinkProps}>
            Privacy Policy
          </a>
          .
        </Trans>
        {mode === "signup" && rulesVersion > 0 && (
          <>
            {" "}
            <Trans>
              You also agree to our{" "}
              <a href="/rules" {...legalLinkProps}>
                rules
              </a>
              .
            </Trans>
          </>
        )}
      </p>
    </form>
  );
}
