import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { describeError, isRetryable } from "@/api/api-error";
import { noticeByLinkQuery, objectByLink } from "@/api/moderation-notices";
import { NoticeDetails } from "@/features/notices/notice-details";
import { noticeTitles } from "@/features/notices/notice-texts";
import { ObjectButton } from "@/features/notices/object-button";
import { useOneTimeFragment } from "@/lib/hooks/use-one-time-fragment";
import { getSiteName } from "@/lib/site";
import { Button, buttonClass } from "@/ui/button";
import { StatusPage } from "@/ui/status-page";

/** Where the mail about a decision leads, also for a suspended member, who can't log in. */
export default function Notice() {
  const token = useOneTimeFragment();
  const query = useQuery({ ...noticeByLinkQuery(token), enabled: token !== "" });
  const { data: notice, error, isFetching } = query;
  if (notice) {
    const title = t(noticeTitles[notice.type]);
    return (
      <StatusPage busy={false} title={title} text={t`A notice from the moderators`}>
        <div className="w-full space-y-3 rounded-2xl border border-border px-5 py-4 text-start">
          <NoticeDetails notice={notice} />
        </div>
        {!notice.objection && !notice.liftedAt && (
          <ObjectButton
            about={title}
            size="large"
            noticeId={notice.id}
            queryKey={noticeByLinkQuery(token).queryKey}
            send={(text) => objectByLink(token, text)}
          />
        )}
        <HomeLink variant="ghost" />
      </StatusPage>
    );
  }
  if (token !== "" && (isFetching || !error)) {
    return <StatusPage busy title={t`Just a moment...`} text={t`We're looking for the notice.`} />;
  }
  if (isRetryable(error) && token !== "") {
    return (
      <StatusPage busy={false} title={t`Something went wrong`} text={describeError(error)}>
        <Button size="large" onClick={() => void query.refetch()}>
          <Trans>Try again</Trans>
        </Button>
      </StatusPage>
    );
  }
  return (
    <StatusPage
      busy={false}
      title={t`This link doesn't work`}
      text={t`Open it again from the email. If it still doesn't work, the notice no longer exists.`}
    >
      <HomeLink variant="outline" />
    </StatusPage>
  );
}

function HomeLink({ variant }: { variant: "ghost" | "outline" }) {
  return (
    <Link href="/" className={buttonClass(variant, "large")}>
      {t`To ${{ siteName: getSiteName() }}`}
    </Link>
  );
}
