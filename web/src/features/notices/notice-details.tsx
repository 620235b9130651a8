import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import type { ModerationNotice } from "@/api/types";
import { formatDate } from "@/lib/time/format-date";
import { Detail } from "@/ui/detail";
import { describeNoticeEnd, describeObjection } from "./notice-texts";

/** The content of a notice below its title, and the outcome of an objection to it. */
export function NoticeDetails({ notice }: { notice: ModerationNotice }) {
  const { createdAt, rule, message, post, objection } = notice;
  const end = describeNoticeEnd(notice);
  return (
    <>
      <p className="text-body-sm text-muted-foreground">
        <time dateTime={createdAt}>{formatDate(createdAt)}</time>
        {end && ` · ${end}`}
      </p>
      <dl className="space-y-3">
        {rule !== "" && <Detail label={t`Rule`}>{rule}</Detail>}
        {message !== "" && <Detail label={t`Message from the moderators`}>{message}</Detail>}
        {post && !(notice.liftedAt && post.content === null) && (
          <Detail label={t`Your post`}>
            {post.content || (
              <span className="text-muted-foreground">
                {post.content === null ? t`The text is deleted after 30 days.` : t`No text.`}
              </span>
            )}
          </Detail>
        )}
        {objection && <Detail label={t`Your objection`}>{objection.text}</Detail>}
        {objection?.answer && (
          <Detail label={t`Answer of the moderators`}>{objection.answer}</Detail>
        )}
      </dl>
      {rule === "" && message === "" && (
        <p className="text-muted-foreground">
          <Trans>The moderators gave no reason.</Trans>
        </p>
      )}
      {objection && <p className="font-medium">{describeObjection(objection)}</p>}
    </>
  );
}
