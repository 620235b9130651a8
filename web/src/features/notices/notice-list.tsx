import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { moderationNoticesQuery, objectToNotice } from "@/api/moderation-notices";
import type { ModerationNotice } from "@/api/types";
import { QueryView } from "@/components/query-view";
import { RowBoundary } from "@/components/row-boundary";
import { PostListSkeleton } from "@/ui/skeleton";
import { NoticeDetails } from "./notice-details";
import { noticeTitles } from "./notice-texts";
import { ObjectButton } from "./object-button";

/** What the moderators decided about the member. */
export function NoticeList() {
  const query = useQuery({ ...moderationNoticesQuery, refetchOnMount: "always" });
  return (
    <QueryView query={query} loading={<PostListSkeleton count={2} />}>
      {(notices) =>
        notices.length === 0 ? (
          <p className="pt-3 text-muted-foreground">
            <Trans>The moderators haven't sent you a notice.</Trans>
          </p>
        ) : (
          <ul aria-label={t`Notices`} className="space-y-4 pt-4">
            {notices.map((notice) => (
              <li key={notice.id} className="rounded-2xl border border-border p-5">
                <RowBoundary>
                  <Notice notice={notice} />
                </RowBoundary>
              </li>
            ))}
          </ul>
        )
      }
    </QueryView>
  );
}

function Notice({ notice }: { notice: ModerationNotice }) {
  const { id, type, liftedAt, objection } = notice;
  const title = t(noticeTitles[type]);
  return (
    <div className="space-y-3">
      <h3 className="font-semibold">{title}</h3>
      <NoticeDetails notice={notice} />
      {!objection && !liftedAt && (
        <ObjectButton
          about={title}
          size="small"
          noticeId={id}
          queryKey={moderationNoticesQuery.queryKey}
          send={(text) => objectToNotice(id, text)}
        />
      )}
    </div>
  );
}
