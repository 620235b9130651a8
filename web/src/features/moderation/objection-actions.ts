import { t } from "@lingui/core/macro";
import { api } from "@/api/client";
import { markPostRestored } from "@/api/post-removal";
import type { Objection } from "@/api/types";
import type { ModerationAction } from "./moderation-action-dialog";

/** The ways to decide about an objection: the sanction stays, or ends. */
export function getObjectionActions({ id, member, notice }: Objection): ModerationAction[] {
  const { username } = member;
  const resolve =
    (action: "accept" | "reject"): ModerationAction["run"] =>
    async ({ note }) => {
      await api.POST("/api/admin/objections/{id}/resolve", {
        params: { path: { id } },
        body: { action, ...(note && { answer: note }) },
      });
      if (action === "accept" && notice.post) markPostRestored();
    };
  return [
    {
      title: t`Keep this decision?`,
      description: t`@${username} learns that the objection was rejected, and can't object again.`,
      action: t`Keep the decision`,
      successMessage: t`Objection rejected`,
      answers: username,
      run: resolve("reject"),
    },
    { ...getAcceptTexts(notice.type, username), answers: username, run: resolve("accept") },
  ];
}

function getAcceptTexts(type: Objection["notice"]["type"], username: string) {
  switch (type) {
    case "post_removed":
      return {
        title: t`Restore this post?`,
        description: t`Everyone can see it again, and @${username} learns that the objection was accepted.`,
        action: t`Restore post`,
        successMessage: t`Post restored`,
      };
    case "suspended":
      return {
        title: t`Let @${username} in again?`,
        description: t`The suspension ends, and they can log in. @${username} learns that the objection was accepted.`,
        action: t`Lift suspension`,
        successMessage: t`Suspension lifted`,
      };
    case "invites_frozen":
      return {
        title: t`Unfreeze the invites of @${username}?`,
        description: t`Their unused codes work again until they expire, and they can make new ones. @${username} learns that the objection was accepted.`,
        action: t`Unfreeze invites`,
        successMessage: t`Invites unfrozen`,
      };
  }
}
