import { msg, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { accountQuery } from "@/api/account";
import { useCurrentUser } from "@/api/auth";
import { mutedOrBlockedQuery } from "@/api/mutes-blocks";
import { EmailSettings } from "@/features/account/email-settings";
import { DeleteAccount } from "@/features/account/delete-account";
import { PendingDeletionBanner } from "@/features/account/account-notices";
import { LanguageSettings } from "@/features/account/language-settings";
import { ShortcutSettings } from "@/features/account/shortcut-settings";
import { DataExportSettings } from "@/features/account/data-export";
import { NotificationSettings } from "@/features/notifications/notification-settings";
import { SessionList } from "@/features/sessions/session-list";
import { UserList } from "@/features/users/user-list";
import { UnmuteUnblockButton } from "@/features/safety/unmute-unblock-button";
import { LegalLinks } from "@/components/legal-links";
import { Badge } from "@/ui/badge";
import { buttonClass } from "@/ui/button";
import { Section } from "@/ui/section";
import { cx } from "@/lib/dom/cx";
import { getSiteName } from "@/lib/site";

export default function Settings() {
  const deletion = useQuery(accountQuery).data?.deletion;
  const { unreadNotices } = useCurrentUser();
  return (
    <div className="px-4 pb-16 sm:px-5">
      <h1 className="pt-5 font-serif text-page-title">
        <Trans>Settings</Trans>
      </h1>
      {deletion && (
        <div className="pt-6">
          <PendingDeletionBanner deleteAt={deletion.deleteAt} />
        </div>
      )}
      <Section
        title={t`Devices`}
        text={t`Devices where you're logged in. Log out any you don't recognize.`}
      >
        <SessionList />
      </Section>
      <Section title={t`Account`} text={t`Your login links go to this email address.`}>
        <EmailSettings />
      </Section>
      <NotificationSettings />
      <Section title={t`Language`}>
        <LanguageSettings />
      </Section>
      <Section
        title={t`Keyboard shortcuts`}
        text={t`Single keys, such as N to write a post. Press ? to see all of them.`}
      >
        <ShortcutSettings />
      </Section>
      <Section
        title={t`Muted and blocked`}
        text={t`You won't see posts from people you've muted, and they won't be notified. You and people you've blocked can't see each other's posts.`}
      >
        {mutedAndBlocked.map(({ list, title, empty }) => (
          <section key={list} aria-label={t(title)} className="pt-6">
            <h3 className="font-semibold">{t(title)}</h3>
            <UserList
              list={mutedOrBlockedQuery(list)}
              compact
              empty={<p className="pt-2 text-muted-foreground">{t(empty)}</p>}
              renderAction={(user) => <UnmuteUnblockButton kind={list} user={user} />}
            />
          </section>
        ))}
      </Section>
      <Section
        title={t`Notices and reports`}
        text={t`What the moderators decided about you, and about what you reported.`}
      >
        <Link href="/settings/notices" className={cx(buttonClass("outline"), "mt-4")}>
          <Trans>Show notices and reports</Trans>
          <Badge count={unreadNotices} />
        </Link>
      </Section>
      <Section
        title={t`Your data`}
        text={t`A ZIP file with everything ${{ siteName: getSiteName() }} has of you: your posts, your images, who you follow, and more.`}
      >
        <DataExportSettings />
      </Section>
      <Section
        title={t`Delete account`}
        text={t`Your account and everything you've posted will be permanently deleted 7 days after you ask. You can cancel any time before that.`}
      >
        <DeleteAccount />
      </Section>
      <Section title={t`About ${{ siteName: getSiteName() }}`}>
        <div className="mt-3 flex flex-wrap gap-x-6 gap-y-2 text-muted-foreground">
          <LegalLinks />
        </div>
      </Section>
    </div>
  );
}

const mutedAndBlocked = [
  { list: "mutes", title: msg`Muted`, empty: msg`You haven't muted anyone.` },
  { list: "blocks", title: msg`Blocked`, empty: msg`You haven't blocked anyone.` },
] as const;
