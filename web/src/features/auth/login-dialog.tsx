import { t } from "@lingui/core/macro";
import { discardPreservedInput, usePreservedInput } from "@/components/use-preserved-input";
import Dialog from "@/ui/dialog";
import { LOGIN_CODE_FORM, CheckEmailStep } from "./check-email-step";
import { LoginForm } from "./login-form";
import { SessionEndNotice } from "./session-end-notice";
import type { LoginInput, AuthMode, RequestedMagicLink } from "./use-request-magic-link";

const LOGIN_FORM = "login";

/** Login and sign-up by mailed link. Closing it resets the form, unless Back closed it. */
export default function LoginDialog(props: {
  onClose: () => void;
  initialMode: AuthMode;
  inviteCode: string;
}) {
  const [input, setInput] = usePreservedInput<LoginInput & { sent: RequestedMagicLink | null }>(
    LOGIN_FORM,
    {
      mode: props.initialMode,
      inviteCode: props.inviteCode,
      email: "",
      sent: null,
    },
  );
  const updateInput = (changes: Partial<typeof input>) => setInput({ ...input, ...changes });
  const onSent = (sent: RequestedMagicLink) => updateInput({ sent });

  return (
    <Dialog
      onClose={() => {
        discardPreservedInput(LOGIN_FORM, LOGIN_CODE_FORM);
        props.onClose();
      }}
      onBack={props.onClose}
      title={t`Welcome back`}
      description={t`Log in or sign up with a link sent to your email address.`}
    >
      <SessionEndNotice className="mx-6 mt-4 rounded-xl bg-muted px-4 py-3 text-body-sm" />
      {input.sent ? (
        <CheckEmailStep
          magicLink={input.sent}
          onResent={onSent}
          onBack={() => {
            discardPreservedInput(LOGIN_CODE_FORM);
            updateInput({ email: "", sent: null });
          }}
        />
      ) : (
        <LoginForm input={input} onChange={updateInput} onSent={onSent} />
      )}
    </Dialog>
  );
}
