import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { accountQuery, deleteAccount } from "@/api/account";
import { useMember } from "@/api/session";
import { Button } from "@/ui/button";
import { Field } from "@/ui/field";
import { lazyOverlay } from "@/ui/lazy-overlay";
import { useServerForm } from "@/ui/use-server-form";

const Dialog = lazyOverlay(() => import("@/ui/dialog"));

export function DeleteAccount() {
  const [isAsking, setAsking] = useState(false);
  const { data } = useQuery(accountQuery);
  const deletion = useMutation({
    mutationFn: deleteAccount,
    onSuccess: () => setAsking(false),
    meta: {
      success: {
        title: "Your account will be deleted",
        description: "You have 7 days to keep it.",
      },
      failure: "Failed to delete your account. Please try again.",
      fields: ["username"],
    },
  });

  function change(open: boolean) {
    if (deletion.isPending) return;
    deletion.reset();
    setAsking(open);
  }

  if (data?.deletion) {
    return <p className="pt-4">You've asked for this. You can keep your account above.</p>;
  }
  return (
    <div className="pt-4">
      <Button look="outline" onClick={() => change(true)}>
        Delete my account
      </Button>
      {isAsking && (
        <Dialog onClose={() => change(false)} title="Delete your account?">
          <UsernameForm deletion={deletion} onCancel={() => change(false)} />
        </Dialog>
      )}
    </div>
  );
}

interface Props {
  deletion: { isPending: boolean; error: unknown; mutate: (username: string) => void };
  onCancel: () => void;
}

function UsernameForm({ deletion, onCancel }: Props) {
  const me = useMember();
  const { form, field } = useServerForm(
    useState({ username: "" }),
    deletion,
    ({ username }) => username.trim() || null,
  );
  return (
    <form {...form} className="space-y-5 px-6 pt-3 pb-6">
      <p className="text-muted">
        In 7 days your posts, likes, follows and images are permanently deleted. Other people's
        replies stay. Your other devices are logged out right away.
      </p>
      <Field
        {...field("username")}
        label="Your username"
        hint={
          <>
            Type <strong className="font-semibold">{me.username}</strong> to confirm.
          </>
        }
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
      <div className="flex justify-end gap-3">
        <Button look="outline" aria-disabled={deletion.isPending} onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" look="danger" aria-disabled={deletion.isPending} className="min-w-26">
          {deletion.isPending ? "Deleting..." : "Delete"}
        </Button>
      </div>
    </form>
  );
}
