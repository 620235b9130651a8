import { type FormEvent, useState } from "react";
import { Button } from "@/ui/button";
import { Field } from "@/ui/field";

interface Props {
  pending: boolean;
  error: string | undefined;
  onConfirm: (email: string) => void;
}

/** Asks which address a link was sent to, when it is opened where nobody asked for it. */
export function ConfirmEmailForm({ pending, error, onConfirm }: Props) {
  const [email, setEmail] = useState("");

  function submit(event: FormEvent) {
    event.preventDefault();
    if (!pending && email.trim() !== "") onConfirm(email.trim());
  }

  return (
    <form onSubmit={submit} className="w-full space-y-5 text-left">
      <Field
        type="email"
        label="Email"
        hint="The address that the link was sent to."
        error={error}
        value={email}
        onChange={(event) => setEmail(event.target.value)}
        placeholder="you@example.com"
        autoComplete="email"
        required
        autoFocus
      />
      <Button type="submit" size="large" className="w-full" disabled={pending}>
        {pending ? "Logging in..." : "Continue"}
      </Button>
    </form>
  );
}
