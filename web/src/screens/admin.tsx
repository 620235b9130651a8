import { useMember } from "@/api/session";
import { AuditTab } from "@/features/moderation/audit-tab";
import { MembersTab } from "@/features/moderation/members-tab";
import { ReportsTab } from "@/features/moderation/reports-tab";
import { WaitlistTab } from "@/features/moderation/waitlist-tab";
import { useTabParam } from "@/lib/use-tab-param";
import { Tabs } from "@/ui/tabs";

const reports = { name: "reports", title: "Reports", render: () => <ReportsTab /> } as const;
const members = { name: "members", title: "Members", render: () => <MembersTab /> } as const;
const forModerators = [reports, members] as const;
const forAdmins = [
  reports,
  members,
  { name: "waitlist", title: "Waitlist", render: () => <WaitlistTab /> },
  { name: "audit", title: "Audit log", render: () => <AuditTab /> },
] as const;

/** Where moderators and admins look after the network. The server checks the role of each call. */
export default function Admin() {
  const tabs = useMember().role === "admin" ? forAdmins : forModerators;
  const names = tabs.map(({ name }) => name);
  const [tab, choose] = useTabParam(names);
  return (
    <>
      <h1 className="px-4 pt-5 pb-4 font-serif text-[32px] leading-none sm:px-5">Moderation</h1>
      <Tabs label="What to look after" value={tab} onChange={choose} tabs={tabs} />
    </>
  );
}
