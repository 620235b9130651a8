import { useState } from "react";
import { Dialog } from "@/ui/dialog";
import { LinkSent } from "./link-sent";
import { LoginForm } from "./login-form";
import type { LoginMode } from "./use-request-link";

interface Props {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** The mode the dialog opens in. */
  initialMode: LoginMode;
}

/** Login and sign-up by mailed link. Closing it forgets everything that was typed. */
export function LoginDialog({ open, onOpenChange, initialMode }: Props) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Welcome back"
      description="Log in or sign up with a link sent to your email address."
    >
      <Steps initialMode={initialMode} />
    </Dialog>
  );
}

function Steps({ initialMode }: { initialMode: LoginMode }) {
  const [mode, setMode] = useState(initialMode);
  const [inviteCode, setInviteCode] = useState("");
  const [email, setEmail] = useState("");
  const [sentTo, setSentTo] = useState<string | null>(null);

  if (sentTo !== null) {
    return (
      <LinkSent
        email={sentTo}
        onBack={() => {
          setEmail("");
          setSentTo(null);
        }}
      />
    );
  }
  return (
    <LoginForm
      mode={mode}
      onModeChange={setMode}
      inviteCode={inviteCode}
      onInviteCodeChange={setInviteCode}
      email={email}
      onEmailChange={setEmail}
      onSent={setSentTo}
    />
  );
}
