import { useRef, useState } from "react";
import { toastError } from "@/lib/state/toast";
import { Button } from "@/ui/button";
import { TextField } from "@/ui/text-field";
import { useServerForm } from "@/components/use-server-form";
import {
  type LoginInput,
  type RequestedMagicLink,
  useRequestMagicLink,
} from "./use-request-magic-link";

interface Props {
  input: LoginInput;
  onChange: (parts: Partial<LoginInput>) => void;
  onSent: (sent: RequestedMagicLink) => void;
}

const requiredFieldErrors = {
  inviteCode: { title: "Invite code required", text: "Please enter your invite code." },
  email: { title: "Email required", text: "Please enter your email address." },
};

const legalLinkProps = {
  target: "_blank",
  rel: "noreferrer",
  className: "underline underline-offset-2 hover:text-foreground",
};

export function LoginForm({ input: { mode, inviteCode, email }, onChange, onSent }: Props) {
  const request = useRequestMagicLink(onSent);
  const [missingField, setMissingField] = useState<keyof typeof requiredFieldErrors | null>(null);
  const inputRefs = {
    inviteCode: useRef<HTMLInputElement>(null),
    email: useRef<HTMLInputElement>(null),
  };
  const { form, field } = useServerForm([{ inviteCode, email }, onChange], request, (values) => {
    const sent = { mode, email: values.email.trim(), inviteCode: values.inviteCode.trim() };
    const empty = (["inviteCode", "email"] as const).find(
      (name) => sent[name] === "" && (name === "email" || mode === "signup"),
    );
    setMissingField(empty ?? null);
    if (!empty) return sent;
    toastError(requiredFieldErrors[empty].text, requiredFieldErrors[empty].title);
    inputRefs[empty].current?.focus();
    return null;
  });
  const getFieldProps = (
    name: keyof typeof requiredFieldErrors,
    clean?: (text: string) => string,
  ) => ({
    ...field(name, clean),
    ref: inputRefs[name],
    ...(missingField === name && { error: requiredFieldErrors[name].text }),
  });
  return (
    <form {...form} className="space-y-5 px-6 pt-5 pb-6">
      {mode === "signup" && (
        <TextField
          {...getFieldProps("inviteCode", (text) => text.toUpperCase())}
          label="Invite code"
          hint="Kith is invite-only. Your code comes from a friend who is already here."
          placeholder="ABCD2345EFGH"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          className="font-medium tracking-code placeholder:font-normal"
        />
      )}
      <TextField
        {...getFieldProps("email")}
        type="email"
        label="Email"
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
            setMissingField(null);
            request.reset();
            onChange({ mode: mode === "signup" ? "login" : "signup" });
          }}
          className="min-h-9 pointer-coarse:min-h-11 text-body-sm font-semibold text-primary-strong hover:underline"
        >
          {mode === "signup"
            ? "Already have an account? Log in"
            : "New user? Sign up with invite code"}
        </button>
      </p>
      <p className="border-t border-border pt-4 text-center text-sm text-balance text-muted-foreground">
        By continuing you agree to our{" "}
        <a href="/terms" {...legalLinkProps}>
          Terms
        </a>{" "}
        and{" "}
        <a href="/privacy" {...legalLinkProps}>
          Privacy Policy
        </a>
        .
      </p>
    </form>
  );
}
