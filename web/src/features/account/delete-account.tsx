import { useMutation, useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { accountQuery, deleteAccount } from "@/api/account";
import { fieldsOf, sentenceOf } from "@/api/error";
import { showFailure } from "@/api/failure";
import { useMember } from "@/api/session";
import { focusMain } from "@/lib/focus-main";
import { toast } from "@/lib/toast";
import { Button } from "@/ui/button";
import { Dialog } from "@/ui/dialog";
import { Field } from "@/ui/field";
import { useFocusInvalid } from "@/ui/use-focus-invalid";

const failure = "Failed to delete your account. Please try again.";

/** Leaving Kith, once that was meant. */
export function DeleteAccount() {
  const [asking, setAsking] = useState(false);
  const { data } = useQuery(accountQuery);
  const leave = useMutation({
    mutationFn: deleteAccount,
    onSuccess() {
      setAsking(false);
      toast({ title: "Your account will be deleted", description: "You have 7 days to keep it." });
      // The button that asked is gone.
      focusMain();
    },
    onError(error) {
      if (fieldsOf(error)["username"] === undefined) {
        showFailure(error, sentenceOf(error, failure));
      }
    },
  });

  function change(open: boolean) {
    if (leave.isPending) return;
    leave.reset();
    setAsking(open);
  }

  if (data?.deletion) {
    return <p className="pt-4">You have asked for this. Above you can keep your account.</p>;
  }
  return (
    <div className="pt-4">
      <Button look="outline" onClick={() => change(true)}>
        Delete my account
      </Button>
      <Dialog open={asking} onOpenChange={change} title="Delete your account?">
        <UsernameForm
          pending={leave.isPending}
          error={leave.error}
          onCancel={() => change(false)}
          onDelete={(username) => leave.mutate(username)}
        />
      </Dialog>
    </div>
  );
}

interface Props {
  pending: boolean;
  error: unknown;
  onCancel: () => void;
  onDelete: (username: string) => void;
}

/** Asks for the username, so that nobody is deleted by a slip. */
function UsernameForm({ pending, error, onCancel, onDelete }: Props) {
  const me = useMember();
  const [typed, setTyped] = useState("");
  const form = useFocusInvalid(error);

  function submit(event: FormEvent) {
    event.preventDefault();
    if (!pending && typed.trim() !== "") onDelete(typed.trim());
  }

  return (
    <form ref={form} onSubmit={submit} className="space-y-5 px-6 pt-3 pb-6">
      <p className="text-muted">
        In 7 days your posts, likes, follows and images go for good; others' answers to you stay.
        All your other devices are logged out now.
      </p>
      <Field
        label="Your username"
        hint={`Type ${me.username} to go on.`}
        error={fieldsOf(error)["username"]}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        readOnly={pending}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
      <div className="flex justify-end gap-3">
        <Button look="outline" aria-disabled={pending} onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" look="danger" aria-disabled={pending} className="min-w-26">
          {pending ? "Deleting..." : "Delete"}
        </Button>
      </div>
    </form>
  );
}
