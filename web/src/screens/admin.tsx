import { msg, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useCurrentUser } from "@/api/auth";
import { AuditLogTab } from "@/features/moderation/audit-log-tab";
import { UsersTab } from "@/features/moderation/users-tab";
import { ReportsTab } from "@/features/moderation/reports-tab";
import { WaitlistTab } from "@/features/moderation/waitlist-tab";
import { SiteSettingsTab } from "@/features/site/site-settings";
import { Tabs } from "@/ui/tabs";

const moderatorTabs = [
  { name: "reports", title: msg`Reports`, render: () => <ReportsTab /> },
  { name: "members", title: msg`Members`, render: () => <UsersTab /> },
];
const adminTabs = [
  ...moderatorTabs,
  { name: "waitlist", title: msg`Waitlist`, render: () => <WaitlistTab /> },
  { name: "audit", title: msg`Audit log`, render: () => <AuditLogTab /> },
  // Short in other languages too: five tabs share the width of a phone.
  {
    name: "settings",
    title: msg({ message: "Settings", context: "network" }),
    render: () => <SiteSettingsTab />,
  },
];

/** Where moderators and admins look after the network. The server checks the role of each call. */
export default function Admin() {
  const tabs = useCurrentUser().role === "admin" ? adminTabs : moderatorTabs;
  return (
    <>
      <h1 className="px-4 pt-5 pb-4 font-serif text-page-title sm:px-5">
        <Trans>Moderation</Trans>
      </h1>
      <Tabs label={t`What to look after`} tabs={tabs} />
    </>
  );
}
