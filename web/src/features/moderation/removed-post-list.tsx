import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useCurrentUser } from "@/api/auth";
import { api, apiQueryOptions } from "@/api/client";
import { markPostRestored } from "@/api/post-removal";
import { queryKeys } from "@/api/query-keys";
import type { RemovedPost } from "@/api/types";
import { formatDate } from "@/lib/time/format-date";
import { RelativeTime } from "@/ui/relative-time";
import { AdminUserSummary } from "./admin-user-summary";
import { EvidenceQuote } from "./evidence-quote";
import type { ModerationAction } from "./moderation-action-dialog";
import { ModerationActionButtons } from "./moderation-action-buttons";
import { CompleteModerationList } from "./moderation-list";
import { outranks } from "./moderation-actions";

const removedPostsQuery = apiQueryOptions([...queryKeys.moderation, "removed-posts"], () =>
  api.GET("/api/admin/removed-posts"),
);

/** The posts that moderators removed and can still restore. */
export function RemovedPostList() {
  return (
    <CompleteModerationList
      query={removedPostsQuery}
      label={t`Removed posts`}
      empty={t`No posts to restore`}
      className="space-y-3 py-5"
    >
      {(post) => <RemovedPostCard post={post} />}
    </CompleteModerationList>
  );
}

function RemovedPostCard({ post }: { post: RemovedPost }) {
  const { author, content, imageUrls, removedAt, restorableUntil } = post;
  const canRestore = outranks(useCurrentUser().role, author.role);
  const name = `@${author.username}`;
  const end = formatDate(restorableUntil);
  return (
    <>
      <p className="text-sm text-muted-foreground">
        <strong className="font-semibold text-foreground">
          <Trans>
            Removed <RelativeTime at={removedAt} />
          </Trans>
        </strong>
        {" · "}
        {t`Can be restored until ${end}`}
      </p>
      <AdminUserSummary user={author} />
      <EvidenceQuote evidence={{ text: content, imageUrls }} />
      {canRestore ? (
        <ModerationActionButtons actions={[createRestoreAction(post)]} about={t`post by ${name}`} />
      ) : (
        <p className="text-sm text-muted-foreground">
          <Trans>Only someone with a higher role than {name} can restore this.</Trans>
        </p>
      )}
    </>
  );
}

function createRestoreAction({ id, author }: RemovedPost): ModerationAction {
  return {
    title: t`Restore this post?`,
    description: t`Everyone can see it again, and @${author.username} learns that it was restored.`,
    action: t`Restore`,
    successMessage: t`Post restored`,
    isUndo: true,
    run: async () => {
      await api.DELETE("/api/admin/posts/{id}/removal", { params: { path: { id } } });
      markPostRestored();
    },
  };
}
