import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { notificationSettingsQuery } from "@/api/notification-settings";
import { QueryView } from "@/components/query-view";
import { Section } from "@/ui/section";
import { Skeleton, SkeletonList } from "@/ui/skeleton";
import { getSiteName } from "@/lib/site";
import { DigestSettings } from "./digest-settings";
import { NotificationKinds } from "./notification-kinds";
import { PushSettings } from "./push-settings";
import { QuietHoursSettings } from "./quiet-hours-settings";

const skeleton = (
  <SkeletonList count={5} className="flex items-center gap-4 border-b border-border py-4">
    {() => <Skeleton className="h-4 w-40" />}
  </SkeletonList>
);

/** Where a member chooses what they are notified about, and how. */
export function NotificationSettings() {
  const query = useQuery(notificationSettingsQuery);
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    // The link at the end of a weekly email leads here.
    if (query.isSuccess && location.hash === "#notifications") section.current?.scrollIntoView();
  }, [query.isSuccess]);
  return (
    <Section
      ref={section}
      title={t`Notifications`}
      text={t`Whose actions you're notified about, and what reaches you when ${{ siteName: getSiteName() }} isn't open.`}
    >
      <QueryView query={query} loading={skeleton}>
        {(settings) => (
          <>
            <NotificationKinds settings={settings} />
            <PushSettings />
            <QuietHoursSettings hours={settings.quietHours ?? null} />
            <DigestSettings isOn={settings.weeklyDigest} />
          </>
        )}
      </QueryView>
    </Section>
  );
}
