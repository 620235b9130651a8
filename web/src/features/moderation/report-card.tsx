import { msg, plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Link } from "wouter";
import { useCurrentUser } from "@/api/auth";
import type { ReportCase } from "@/api/types";
import { getReportReasons } from "@/components/report-reasons";
import { RelativeTime } from "@/ui/relative-time";
import { AdminUserSummary } from "./admin-user-summary";
import { EvidenceQuote } from "./evidence-quote";
import { getReportActions, outranks } from "./moderation-actions";
import { ModerationActionButtons } from "./moderation-action-buttons";
import { UserHandleLink } from "./user-handle-link";

const decisionLabels = {
  dismiss: msg`Dismissed`,
  remove: msg`Post removed`,
  suspend: msg`Member suspended`,
};

/** The reports of a post or member, and what can be done about them. */
export function ReportCard({ reportCase }: { reportCase: ReportCase }) {
  const { kind, member, reportCount, reasons, reportedAt, resolution } = reportCase;
  const notes = reportCase.reports.filter(({ note }) => note !== "");
  const canModerate = outranks(useCurrentUser().role, member.role);
  const name = `@${member.username}`;
  const actions = getReportActions(reportCase, canModerate);
  const decider = resolution?.by?.username;
  const decidedBy = decider === undefined ? t`by the operator` : t`by @${decider}`;
  const reasonSummary = reasons
    .map(({ reason, count }) => `${getReportReasons()[reason]} (${count})`)
    .join(", ");
  return (
    <>
      <p className="text-sm text-muted-foreground">
        <strong className="font-semibold text-foreground">
          {kind === "post"
            ? plural(reportCount, {
                one: "Post, reported once",
                other: "Post, reported # times",
              })
            : plural(reportCount, {
                one: "Member, reported once",
                other: "Member, reported # times",
              })}
        </strong>{" "}
        · {reasonSummary} · <RelativeTime at={reportedAt} />
      </p>
      <AdminUserSummary user={member} />
      <ReportedPostContext reportCase={reportCase} />
      {reportCase.evidence.map((evidence) => (
        <EvidenceQuote
          key={[evidence.text, ...evidence.imageUrls].join("\n")}
          evidence={evidence}
        />
      ))}
      {notes.length > 0 && (
        <ul className="space-y-1 text-body-sm" aria-label={t`What was said in the reports`}>
          {notes.map(({ note, reason, createdAt }) => (
            <li key={`${createdAt} ${reason} ${note}`} className="clip-marks wrap-anywhere">
              <span className="text-muted-foreground">{getReportReasons()[reason]}:</span>{" "}
              <span dir="auto" className="whitespace-pre-wrap">
                {note}
              </span>{" "}
              <span className="text-sm text-muted-foreground">
                <RelativeTime at={createdAt} />
              </span>
            </li>
          ))}
        </ul>
      )}
      {resolution && (
        <p className="clip-marks text-body-sm wrap-anywhere">
          <strong className="font-semibold">{t(decisionLabels[resolution.action])}</strong>{" "}
          {decidedBy}, <RelativeTime at={resolution.createdAt} />
          {resolution.note !== "" && (
            <span className="block text-muted-foreground">
              <bdi>{resolution.note}</bdi>
            </span>
          )}
        </p>
      )}
      {!canModerate && !resolution && (
        <p className="text-sm text-muted-foreground">
          <Trans>Only someone with a higher role than {name} can do more than dismiss this.</Trans>
        </p>
      )}
      {actions.length > 0 && (
        <div className="flex flex-wrap gap-2">
          <ModerationActionButtons
            actions={actions}
            about={!resolution && kind === "post" ? t`post by ${name}` : name}
          />
        </div>
      )}
    </>
  );
}

function ReportedPostContext({
  reportCase: { post, postId, resolution },
}: {
  reportCase: ReportCase;
}) {
  if (!post) return null;
  const { isDeleted, replyTo } = post;
  return (
    <>
      {replyTo && (
        <section aria-label={t`The post it replies to`} className="space-y-2">
          <p className="text-body-sm wrap-anywhere">
            {replyTo.author ? (
              <Trans>
                In reply to <UserHandleLink user={replyTo.author} />:
              </Trans>
            ) : (
              <Trans>In reply to a post that has been deleted.</Trans>
            )}
          </p>
          {replyTo.evidence && <EvidenceQuote evidence={replyTo.evidence} />}
        </section>
      )}
      {isDeleted && resolution?.action !== "remove" && (
        <p className="text-body-sm">
          {resolution ? t`This post has been deleted.` : t`The author has deleted this post.`}
        </p>
      )}
      {!isDeleted && (
        <p className="text-body-sm">
          <Link
            href={`/post/${postId}`}
            className="inline-block py-0.5 font-semibold text-primary-strong hover:underline"
          >
            <Trans>View the post in context</Trans>
          </Link>
        </p>
      )}
    </>
  );
}
