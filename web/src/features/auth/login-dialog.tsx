import { discardPreservedInput, usePreservedInput } from "@/components/use-preserved-input";
import Dialog from "@/ui/dialog";
import { CODE_FORM, LinkSent } from "./link-sent";
import { LoginForm } from "./login-form";
import { SessionEndNotice } from "./session-end-notice";
import type { LoginInput, LoginMode, RequestedLink } from "./use-request-link";

const LOGIN_FORM = "login";

/** Login and sign-up by mailed link. Closing it resets the form, unless Back closed it. */
export default function LoginDialog(props: { onClose: () => void; initialMode: LoginMode }) {
  const [input, setInput] = usePreservedInput<LoginInput & { sent: RequestedLink | null }>(
    LOGIN_FORM,
    {
      mode: props.initialMode,
      inviteCode: "",
      email: "",
      sent: null,
    },
  );
  const change = (parts: Partial<typeof input>) => setInput({ ...input, ...parts });
  const onSent = (sent: RequestedLink) => change({ sent });

  return (
    <Dialog
      onClose={() => {
        discardPreservedInput(LOGIN_FORM, CODE_FORM);
        props.onClose();
      }}
      onBack={props.onClose}
      title="Welcome back"
      description="Log in or sign up with a link sent to your email address."
    >
      <SessionEndNotice className="mx-6 mt-4 rounded-xl bg-wash px-4 py-3 text-[15px]" />
      {input.sent ? (
        <LinkSent
          sent={input.sent}
          onSentAgain={onSent}
          onBack={() => {
            discardPreservedInput(CODE_FORM);
            change({ email: "", sent: null });
          }}
        />
      ) : (
        <LoginForm input={input} onChange={change} onSent={onSent} />
      )}
    </Dialog>
  );
}
