import { t } from "@lingui/core/macro";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import {
  markNoticesRead,
  moderationNoticesQuery,
  sentReportsQuery,
} from "@/api/moderation-notices";
import { NoticeList } from "@/features/notices/notice-list";
import { SentReportList } from "@/features/notices/sent-report-list";
import { PageHeader } from "@/ui/page-header";
import { Section } from "@/ui/section";

/** What the moderators decided about the member, and about what the member reported. Opening it marks all as read. */
export default function ModerationNotices() {
  const { mutate: markRead } = useMutation({ mutationFn: markNoticesRead });
  const { dataUpdatedAt: noticesAt } = useQuery({ ...moderationNoticesQuery, enabled: false });
  const { dataUpdatedAt: reportsAt } = useQuery({ ...sentReportsQuery, enabled: false });
  const isShown = noticesAt > 0 && reportsAt > 0;
  useEffect(() => {
    if (isShown) markRead();
  }, [isShown, markRead]);
  return (
    <>
      <PageHeader
        back={{ href: "/settings", label: t`Back to settings` }}
        title={t`Notices and reports`}
      />
      <div className="px-4 pb-16 sm:px-5">
        <Section
          title={t`Notices`}
          text={t`What the moderators decided about you or your posts. You can object to each decision once.`}
        >
          <NoticeList />
        </Section>
        <Section
          title={t`Your reports`}
          text={t`No one but the moderators sees what you reported.`}
        >
          <SentReportList />
        </Section>
      </div>
    </>
  );
}
