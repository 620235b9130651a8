import { type FormEvent, useRef, useState } from "react";
import { ApiError } from "@/api/error";
import { toastError } from "@/lib/toast";
import { Button } from "@/ui/button";
import { Field } from "@/ui/field";
import { type LoginMode, useRequestLink } from "./use-request-link";

interface Props {
  mode: LoginMode;
  onModeChange: (mode: LoginMode) => void;
  inviteCode: string;
  onInviteCodeChange: (code: string) => void;
  email: string;
  onEmailChange: (email: string) => void;
  onSent: (email: string) => void;
}

type Missing = "inviteCode" | "email" | null;

/** Asks for the e-mail address, and in sign-up mode for the invite code before it. */
export function LoginForm(props: Props) {
  const { mode, inviteCode, email } = props;
  const request = useRequestLink();
  const [missing, setMissing] = useState<Missing>(null);
  const codeInput = useRef<HTMLInputElement>(null);
  const emailInput = useRef<HTMLInputElement>(null);
  const fields = request.error instanceof ApiError ? request.error.fields : {};

  function submit(event: FormEvent) {
    event.preventDefault();
    if (request.isPending) return;
    if (mode === "signup" && inviteCode.trim() === "") {
      toastError("Please enter your invite code.", "Invite code required");
      setMissing("inviteCode");
      codeInput.current?.focus();
      return;
    }
    if (email.trim() === "") {
      toastError("Please enter your email address.", "Email required");
      setMissing("email");
      emailInput.current?.focus();
      return;
    }
    setMissing(null);
    const sent = { mode, email: email.trim(), inviteCode: inviteCode.trim() };
    request.mutate(sent, { onSuccess: () => props.onSent(sent.email) });
  }

  return (
    <form onSubmit={submit} className="space-y-5 px-6 pt-5 pb-6">
      {mode === "signup" && (
        <Field
          ref={codeInput}
          label="Invite code"
          hint="Kith is invite-only. Your code comes from a friend who is already here."
          error={missing === "inviteCode" ? "Please enter your invite code." : fields["inviteCode"]}
          value={inviteCode}
          onChange={(event) => props.onInviteCodeChange(event.target.value.toUpperCase())}
          placeholder="ABCD2345EFGH"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          className="font-medium tracking-[0.12em] placeholder:font-normal"
        />
      )}
      <Field
        ref={emailInput}
        type="email"
        label="Email"
        error={missing === "email" ? "Please enter your email address." : fields["email"]}
        value={email}
        onChange={(event) => props.onEmailChange(event.target.value)}
        placeholder="you@example.com"
        autoComplete="email"
      />
      <Button type="submit" size="large" className="w-full" disabled={request.isPending}>
        {request.isPending ? "Sending..." : "Send magic link"}
      </Button>
      <p className="text-center">
        <button
          type="button"
          onClick={() => {
            setMissing(null);
            request.reset();
            props.onModeChange(mode === "signup" ? "login" : "signup");
          }}
          className="min-h-9 text-[15px] font-semibold text-ember-deep hover:underline"
        >
          {mode === "signup"
            ? "Already have an account? Log in"
            : "New user? Sign up with invite code"}
        </button>
      </p>
      <p className="border-t border-line pt-4 text-center text-sm text-balance text-muted">
        By continuing you agree to our{" "}
        <a href="/terms" className="underline underline-offset-2 hover:text-ink">
          Terms
        </a>{" "}
        and{" "}
        <a href="/privacy" className="underline underline-offset-2 hover:text-ink">
          Privacy Policy
        </a>
        .
      </p>
    </form>
  );
}
