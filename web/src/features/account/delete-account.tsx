import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
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
        title: t`Your account will be deleted`,
        description: t`You have 7 days to keep it.`,
      },
      failure: t`Failed to delete your account. Please try again.`,
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
    return (
      <p className="pt-4">
        <Trans>You've asked for this. You can keep your account above.</Trans>
      </p>
    );
  }
  return (
    <div className="pt-4">
      <Button variant="outline" onClick={() => setDialogOpen(true)}>
        <Trans>Delete my account</Trans>
      </Button>
      {isConfirming && (
        <Dialog onClose={() => setDialogOpen(false)} title={t`Delete your account?`}>
          <p className="px-6 pt-3 text-muted-foreground">
            <Trans>
              In 7 days your posts, likes, follows and images are permanently deleted. Other
              people's replies stay. Your other devices are logged out right away.
            </Trans>
          </p>
          <TextForm
            name="username"
            mutation={deletion}
            label={t`Your username`}
            hint={
              <>
                <Trans>
                  Type <strong className="font-semibold">{username}</strong> to confirm.
                </Trans>
              </>
            }
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            button={{ children: t`Delete`, variant: "destructive", className: "min-w-26" }}
            pending={t`Deleting...`}
            layout="space-y-5 px-6 pt-5 pb-6"
            onCancel={() => setDialogOpen(false)}
          />
        </Dialog>
      )}
    </div>
  );
}
