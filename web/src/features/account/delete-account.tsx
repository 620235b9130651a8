import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { accountQueryKeys, accountQuery } from "@/api/account";
import { api } from "@/api/client";
import { queryKeys } from "@/api/query-keys";
import { useCurrentUser } from "@/api/auth";
import { Button } from "@/ui/button";
import { lazyOverlay } from "@/ui/lazy-overlay";
import { TextForm } from "@/components/text-form";

const Dialog = lazyOverlay(() => import("@/ui/dialog"));

export function DeleteAccount() {
  const [isConfirming, setConfirming] = useState(false);
  const { data } = useQuery(accountQuery);
  const { username } = useCurrentUser();
  const deletion = useMutation({
    mutationFn: (typed: string) => api.POST("/api/account/deletion", { body: { username: typed } }),
    onSuccess: () => setConfirming(false),
    meta: {
      success: {
        title: "Your account will be deleted",
        description: "You have 7 days to keep it.",
      },
      failure: "Failed to delete your account. Please try again.",
      fields: ["username"],
      invalidates: [...accountQueryKeys, queryKeys.sessions],
    },
  });

  function setDialogOpen(open: boolean) {
    if (deletion.isPending) return;
    deletion.reset();
    setConfirming(open);
  }

  if (data?.deletion) {
    return <p className="pt-4">You've asked for this. You can keep your account above.</p>;
  }
  return (
    <div className="pt-4">
      <Button variant="outline" onClick={() => setDialogOpen(true)}>
        Delete my account
      </Button>
      {isConfirming && (
        <Dialog onClose={() => setDialogOpen(false)} title="Delete your account?">
          <p className="px-6 pt-3 text-muted-foreground">
            In 7 days your posts, likes, follows and images are permanently deleted. Other people's
            replies stay. Your other devices are logged out right away.
          </p>
          <TextForm
            name="username"
            mutation={deletion}
            label="Your username"
            hint={
              <>
                Type <strong className="font-semibold">{username}</strong> to confirm.
              </>
            }
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            button={{ children: "Delete", variant: "destructive", className: "min-w-26" }}
            pending="Deleting..."
            layout="space-y-5 px-6 pt-5 pb-6"
            onCancel={() => setDialogOpen(false)}
          />
        </Dialog>
      )}
    </div>
  );
}
