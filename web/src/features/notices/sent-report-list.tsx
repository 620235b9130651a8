import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { sentReportsQuery } from "@/api/moderation-notices";
import type { SentReport } from "@/api/types";
import { QueryView } from "@/components/query-view";
import { getReportReasons } from "@/components/report-reasons";
import { formatDate } from "@/lib/time/format-date";
import { PostListSkeleton } from "@/ui/skeleton";
import { describeReportOutcome } from "./notice-texts";

/** The member's own reports and what became of them. */
export function SentReportList() {
  const query = useQuery({ ...sentReportsQuery, refetchOnMount: "always" });
  return (
    <QueryView query={query} loading={<PostListSkeleton count={2} />}>
      {(reports) =>
        reports.length === 0 ? (
          <p className="pt-3 text-muted-foreground">
            <Trans>You haven't reported anything.</Trans>
          </p>
        ) : (
          <ul aria-label={t`Your reports`} className="divide-y divide-border pt-2">
            {reports.map((report) => (
              <li key={report.id} className="py-4 leading-6">
                <Report report={report} />
              </li>
            ))}
          </ul>
        )
      }
    </QueryView>
  );
}

function Report({ report }: { report: SentReport }) {
  const { reason, note, createdAt } = report;
  return (
    <>
      <p className="flex flex-wrap items-baseline justify-between gap-x-4">
        <span className="min-w-0 font-semibold wrap-anywhere">{describeTarget(report)}</span>
        <time dateTime={createdAt} className="text-sm text-muted-foreground">
          {formatDate(createdAt)}
        </time>
      </p>
      <p className="clip-marks text-body-sm text-muted-foreground wrap-anywhere">
        {getReportReasons()[reason]}
        {note !== "" && (
          <>
            :{" "}
            <span dir="auto" className="whitespace-pre-wrap">
              {note}
            </span>
          </>
        )}
      </p>
      <p>{describeReportOutcome(report)}</p>
    </>
  );
}

function describeTarget({ kind, username }: SentReport): string {
  if (kind === "post") return username ? t`Post by @${username}` : t`Post by a deleted member`;
  return username ? `@${username}` : t`A deleted member`;
}
