import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { changeEmail } from "@/api/account";
import { fieldsOf, sentenceOf } from "@/api/error";
import { showFailure } from "@/api/failure";
import { focusMain } from "@/lib/focus-main";
import { toast } from "@/lib/toast";
import { Button } from "@/ui/button";
import { Field } from "@/ui/field";
import { useFocusInvalid } from "@/ui/use-focus-invalid";

const failure = "Failed to ask for the change. Please try again.";

/** Asks for another address. */
export function AddressForm({ present }: { present: string | null | undefined }) {
  const [email, setEmail] = useState("");
  const ask = useMutation({
    mutationFn: changeEmail,
    onSuccess() {
      toast({ title: "Check your email!", description: "Confirm the change within 15 minutes." });
      // The form gives way to what it asked for.
      focusMain();
    },
    onError(error) {
      if (fieldsOf(error)["email"] === undefined) showFailure(error, sentenceOf(error, failure));
    },
  });
  const form = useFocusInvalid(ask.error);

  function submit(event: FormEvent) {
    event.preventDefault();
    if (!ask.isPending && email.trim() !== "") ask.mutate(email.trim());
  }

  return (
    <form ref={form} onSubmit={submit} noValidate className="max-w-md space-y-4 pt-4">
      <Field
        type="email"
        label={present ? "New address" : "Your address"}
        hint={present ? "Both addresses get a mail, and both must confirm." : "It must confirm."}
        error={fieldsOf(ask.error)["email"]}
        value={email}
        onChange={(event) => setEmail(event.target.value)}
        placeholder="you@example.com"
        autoComplete="email"
      />
      <Button type="submit" look="outline" aria-disabled={ask.isPending}>
        {ask.isPending ? "Sending..." : "Change address"}
      </Button>
    </form>
  );
}
