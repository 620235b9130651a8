import { useQuery } from "@tanstack/react-query";
import { accountQuery } from "@/api/account";
import { mutedOrBlockedQuery } from "@/api/mutes-blocks";
import { EmailSettings } from "@/features/account/email-settings";
import { DeleteAccount } from "@/features/account/delete-account";
import { PendingDeletionBanner } from "@/features/account/account-notices";
import { DataExportSettings } from "@/features/account/data-export";
import { SessionList } from "@/features/sessions/session-list";
import { UserList } from "@/features/users/user-list";
import { UnmuteUnblockButton } from "@/features/safety/unmute-unblock-button";
import { Section } from "@/ui/section";

export default function Settings() {
  const deletion = useQuery(accountQuery).data?.deletion;
  return (
    <div className="px-4 pb-16 sm:px-5">
      <h1 className="pt-5 font-serif text-page-title">Settings</h1>
      {deletion && (
        <div className="pt-6">
          <PendingDeletionBanner deleteAt={deletion.deleteAt} />
        </div>
      )}
      <Section
        title="Devices"
        text="Devices where you're logged in. Log out any you don't recognize."
      >
        <SessionList />
      </Section>
      <Section title="Account" text="Your login links go to this email address.">
        <EmailSettings />
      </Section>
      <Section
        title="Muted and blocked"
        text="You won't see posts from people you've muted, and they won't be notified. You and people you've blocked can't see each other's posts."
      >
        {mutedAndBlocked.map(({ list, title, empty }) => (
          <section key={list} aria-label={title} className="pt-6">
            <h3 className="font-semibold">{title}</h3>
            <UserList
              list={mutedOrBlockedQuery(list)}
              compact
              empty={<p className="pt-2 text-muted-foreground">{empty}</p>}
              renderAction={(user) => <UnmuteUnblockButton kind={list} user={user} />}
            />
          </section>
        ))}
      </Section>
      <Section
        title="Your data"
        text="A ZIP file with everything Kith has of you: your posts, your images, who you follow, and more."
      >
        <DataExportSettings />
      </Section>
      <Section
        title="Delete account"
        text="Your account and everything you've posted will be permanently deleted 7 days after you ask. You can cancel any time before that."
      >
        <DeleteAccount />
      </Section>
    </div>
  );
}

const mutedAndBlocked = [
  { list: "mutes", title: "Muted", empty: "You haven't muted anyone." },
  { list: "blocks", title: "Blocked", empty: "You haven't blocked anyone." },
] as const;
