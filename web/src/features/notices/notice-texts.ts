import { msg, t } from "@lingui/core/macro";
import type { ModerationNotice, SentReport } from "@/api/types";
import { formatDate, formatDateTime } from "@/lib/time/format-date";

export const noticeTitles = {
  post_removed: msg`Your post was removed`,
  suspended: msg`Your account was suspended`,
  invites_frozen: msg`Your invites were frozen`,
};

/** Until when a decision applies, or since when it no longer does; null for a post that is gone for good. */
export function describeNoticeEnd(notice: ModerationNotice): string | null {
  const { type, endsAt, liftedAt, post } = notice;
  const liftDate = formatDate(liftedAt);
  const end = formatDateTime(endsAt);
  if (type === "post_removed") {
    if (liftedAt) return t`Restored on ${liftDate}`;
    return post?.content === null ? null : t`Only moderators can see it`;
  }
  if (!liftedAt) return endsAt ? t`Until ${end}` : t`Until the moderators lift it`;
  const hasEnded = endsAt !== null && Date.parse(endsAt) <= Date.parse(liftedAt);
  return hasEnded ? t`Ended on ${liftDate}` : t`Lifted on ${liftDate}`;
}

/** How far an objection is. */
export function describeObjection({ outcome }: NonNullable<ModerationNotice["objection"]>): string {
  switch (outcome) {
    case "accepted":
      return t`Your objection was accepted, so the decision no longer applies.`;
    case "rejected":
      return t`Your objection was rejected. The decision stays.`;
    case null:
      return t`Your objection is being reviewed. Another moderator will look at it.`;
  }
}

/** What became of a report. */
export function describeReportOutcome({ outcome }: SentReport): string {
  switch (outcome) {
    case "action_taken":
      return t`The moderators took action.`;
    case "no_action":
      return t`The moderators found no violation of the rules.`;
    case null:
      return t`A moderator will look at it.`;
  }
}
