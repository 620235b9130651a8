import { msg, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Link } from "wouter";
import { withRestoredPages } from "@/api/paginated-query";
import { forYouFeedQuery, followingFeedQuery } from "@/api/posts";
import { queryClient } from "@/api/query-client";
import { AccountNotices } from "@/features/account/account-notices";
import { NoticeBanner } from "@/features/notices/notice-banner";
import { Composer } from "@/features/posts/composer";
import { NewPostsButton } from "@/features/posts/new-posts-button";
import { PostFeed } from "@/features/posts/post-feed";
import { RefreshFeedButton, useRefreshFeed } from "@/features/posts/refresh-feed-button";
import { AnnouncementBanner } from "@/features/site/announcement-banner";
import { RulesNotice } from "@/features/site/rules-notice";
import { OnboardingCard } from "@/features/profile/onboarding-card";
import { useTabParam } from "@/lib/hooks/use-tab-param";
import { Button, buttonClass } from "@/ui/button";
import { EmptyState } from "@/ui/empty-state";
import { Tabs } from "@/ui/tabs";
import { ThemeToggle } from "@/components/theme-toggle";
import { renderPostMenu } from "./more-menu";

function LoggedOutState() {
  return <EmptyState title={t`Please log in to see your feed.`} />;
}

const tabs = [
  { name: "friends", title: msg`Friends`, render: () => <FollowingFeed /> },
  { name: "for-you", title: msg`For You`, render: () => <ForYouFeed /> },
] as const;

export const preload = () =>
  queryClient.prefetchInfiniteQuery(withRestoredPages(followingFeedQuery));

export default function Home() {
  const [tab] = useTabParam(tabs.map(({ name }) => name));
  return (
    <>
      <header className="flex h-16 items-center gap-1 px-4 sm:px-5">
        <h1 className="me-auto font-serif text-page-title">
          <Trans>Home</Trans>
        </h1>
        <div className="-me-2 flex">
          <RefreshFeedButton feed={tab} />
          <ThemeToggle className="max-md:hidden" />
        </div>
      </header>
      <AccountNotices />
      <NoticeBanner />
      <AnnouncementBanner />
      <RulesNotice />
      <OnboardingCard />
      <div className="border-y border-border px-4 pt-4 pb-3 max-md:has-data-idle:py-1.5 sm:px-5">
        <Composer rows={2} />
      </div>
      <Tabs label={t`Feeds`} tabs={tabs} />
    </>
  );
}

function FollowingFeed() {
  return (
    <>
      <NewPostsButton />
      <PostFeed
        renderMenu={renderPostMenu}
        list={followingFeedQuery}
        loggedOut={<LoggedOutState />}
        empty={
          <EmptyState title={t`No posts from people you follow yet. Try following some users!`}>
            <Link href="/discover" className={buttonClass("outline")}>
              <Trans>Discover</Trans>
            </Link>
          </EmptyState>
        }
      />
    </>
  );
}

function ForYouFeed() {
  const { refresh, isFetching } = useRefreshFeed("for-you");
  return (
    <PostFeed
      renderMenu={renderPostMenu}
      list={forYouFeedQuery}
      loggedOut={<LoggedOutState />}
      empty={
        <EmptyState title={t`No posts to show. Check back later for fresh content!`}>
          <Button variant="outline" aria-busy={isFetching} onClick={refresh}>
            <Trans>Refresh</Trans>
          </Button>
        </EmptyState>
      }
    />
  );
}
