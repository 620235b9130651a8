import { msg, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useCurrentUser } from "@/api/auth";
import { api, apiQueryOptions } from "@/api/client";
import { queryKeys } from "@/api/query-keys";
import type { Objection } from "@/api/types";
import { formatDateTime } from "@/lib/time/format-date";
import { Detail } from "@/ui/detail";
import { RelativeTime } from "@/ui/relative-time";
import { AdminUserSummary } from "./admin-user-summary";
import { ModerationActionButtons } from "./moderation-action-buttons";
import { CompleteModerationList } from "./moderation-list";
import { getObjectionActions } from "./objection-actions";
import { outranks } from "./moderation-actions";
import { UserHandleLink } from "./user-handle-link";

const objectionsQuery = apiQueryOptions([...queryKeys.moderation, "objections"], () =>
  api.GET("/api/admin/objections"),
);

/** What members say against decisions about them. */
export function ObjectionList() {
  return (
    <CompleteModerationList
      query={objectionsQuery}
      label={t`Objections`}
      empty={t`No open objections`}
      className="space-y-3 py-5"
    >
      {(objection) => <ObjectionCard objection={objection} />}
    </CompleteModerationList>
  );
}

const objectionTitles = {
  post_removed: msg`Objection to the removal of a post`,
  suspended: msg`Objection to a suspension`,
  invites_frozen: msg`Objection to a freeze of invites`,
};

function ObjectionCard({ objection }: { objection: Objection }) {
  const { member, notice, by } = objection;
  const { type, rule, message, post, endsAt } = notice;
  const canDecide = outranks(useCurrentUser().role, member.role);
  const name = `@${member.username}`;
  const end = formatDateTime(endsAt);
  const decider = by ? <UserHandleLink user={by} /> : t`the operator`;
  const decidedAt = <RelativeTime at={notice.createdAt} />;
  return (
    <>
      <p className="text-sm text-muted-foreground">
        <strong className="font-semibold text-foreground">{t(objectionTitles[type])}</strong>
        {" · "}
        <RelativeTime at={notice.objection?.createdAt} />
      </p>
      <AdminUserSummary user={member} />
      <p className="text-body-sm wrap-anywhere">
        <Trans>
          Decided by {decider}, {decidedAt}
        </Trans>
        {endsAt && ` · ${t`Until ${end}`}`}
      </p>
      <dl className="space-y-3">
        {rule !== "" && <Detail label={t`Rule`}>{rule}</Detail>}
        {message !== "" && <Detail label={t`Message to ${name}`}>{message}</Detail>}
        {post && (
          <Detail label={t`Removed post`}>
            {post.content || (
              <span className="text-muted-foreground">
                {post.content === null ? t`The text is deleted after 30 days.` : t`No text.`}
              </span>
            )}
          </Detail>
        )}
        <Detail label={t`Objection of ${name}`}>{notice.objection?.text}</Detail>
      </dl>
      {canDecide ? (
        <div className="flex flex-wrap gap-2">
          <ModerationActionButtons
            actions={getObjectionActions(objection)}
            about={t`objection of ${name}`}
          />
        </div>
      ) : (
        <p className="text-sm text-muted-foreground">
          <Trans>Only someone with a higher role than {name} can decide about this.</Trans>
        </p>
      )}
    </>
  );
}
