import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { cancelEmailChange, confirmEmailCode } from "@/api/account";
import { fieldsOf, sentenceOf } from "@/api/error";
import { showFailure } from "@/api/failure";
import type { PendingEmail } from "@/api/types";
import { focusMain } from "@/lib/focus-main";
import { relativeTime } from "@/lib/time";
import { toast } from "@/lib/toast";
import { useNow } from "@/lib/use-now";
import { Button } from "@/ui/button";
import { Field } from "@/ui/field";
import { useFocusInvalid } from "@/ui/use-focus-invalid";

const failure = "Failed to cancel the change. Please try again.";
const codeFailure = "Failed to confirm the address. Please try again.";

/** A change of address that waits for one mailbox or both. */
export function PendingAddress({ pending }: { pending: PendingEmail }) {
  const now = useNow();
  const cancel = useMutation({
    mutationFn: cancelEmailChange,
    onSuccess() {
      toast({ title: "Change cancelled" });
      focusMain();
    },
    onError: (error) => showFailure(error, sentenceOf(error, failure)),
  });
  return (
    <div className="mt-4 max-w-md space-y-4 rounded-2xl border border-line p-5">
      <p className="[overflow-wrap:anywhere]">
        Your address becomes <strong className="font-semibold">{pending.email}</strong> once both
        mailboxes have confirmed. The mails expire {relativeTime(pending.expiresAt, now)}.
      </p>
      <ul className="space-y-1 text-muted">
        <li>New address: {pending.isNewConfirmed ? "confirmed" : "not confirmed yet"}</li>
        <li>Old address: {pending.isOldConfirmed ? "confirmed" : "not confirmed yet"}</li>
      </ul>
      {!pending.isNewConfirmed && <CodeForm />}
      <Button
        look="outline"
        size="small"
        aria-disabled={cancel.isPending}
        onClick={() => !cancel.isPending && cancel.mutate()}
      >
        {cancel.isPending ? "Cancelling..." : "Cancel the change"}
      </Button>
    </div>
  );
}

function CodeForm() {
  const [code, setCode] = useState("");
  const confirm = useMutation({
    mutationFn: confirmEmailCode,
    onSuccess(state) {
      toast({ title: state === "changed" ? "Address changed" : "New address confirmed" });
      focusMain();
    },
    onError(error) {
      if (fieldsOf(error)["code"] === undefined) {
        showFailure(error, sentenceOf(error, codeFailure));
      }
    },
  });
  const form = useFocusInvalid(confirm.error);

  function submit(event: FormEvent) {
    event.preventDefault();
    if (!confirm.isPending && code.trim() !== "") confirm.mutate(code.trim());
  }

  return (
    <form ref={form} onSubmit={submit} className="space-y-3">
      <Field
        label="Code"
        hint="From the mail to the new address, if its link is out of reach."
        error={fieldsOf(confirm.error)["code"]}
        value={code}
        onChange={(event) => setCode(event.target.value.toUpperCase())}
        autoComplete="one-time-code"
        autoCapitalize="characters"
        spellCheck={false}
        className="font-medium tracking-[0.12em]"
      />
      <Button type="submit" look="outline" size="small" aria-disabled={confirm.isPending}>
        {confirm.isPending ? "Confirming..." : "Confirm by code"}
      </Button>
    </form>
  );
}
