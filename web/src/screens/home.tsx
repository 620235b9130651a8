import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { forYouFeed, friendsFeed } from "@/api/posts";
import { Composer } from "@/features/posts/composer";
import { PostList } from "@/features/posts/post-list";
import { UpdateFeed } from "@/features/posts/update-feed";
import { useRefreshFeed } from "@/features/posts/use-refresh-feed";
import { WelcomeCard } from "@/features/profile/welcome-card";
import { useTabParam } from "@/lib/use-tab-param";
import { useTitle } from "@/lib/use-title";
import { Button, buttonClass } from "@/ui/button";
import { Notice } from "@/ui/notice";
import { Tabs } from "@/ui/tabs";
import { ThemeToggle } from "@/ui/theme-toggle";

const LOGGED_OUT = "Please log in to see your feed.";

const tabs = [
  { name: "friends", title: "Friends", render: () => <Friends /> },
  { name: "for-you", title: "For You", render: () => <ForYou /> },
] as const;

/** The member's feeds, with a composer above them. */
export default function Home() {
  useTitle("Home");
  const [tab, setTab] = useTabParam(tabs.map(({ name }) => name));
  return (
    <>
      <header className="flex h-16 items-center gap-1 px-4 sm:px-5">
        <h1 className="mr-auto font-serif text-[32px] leading-none">Home</h1>
        <div className="-mr-2 flex">
          <UpdateFeed feed={tab} />
          <ThemeToggle className="max-lg:hidden" />
        </div>
      </header>
      <WelcomeCard />
      <div className="border-y border-line px-4 pt-4 pb-3 sm:px-5">
        <Composer rows={2} />
      </div>
      <Tabs label="Feeds" value={tab} onChange={setTab} tabs={tabs} />
    </>
  );
}

function Friends() {
  const query = useInfiniteQuery(friendsFeed);
  return (
    <PostList
      query={query}
      loggedOut={LOGGED_OUT}
      empty={
        <Notice title="No posts from people you follow yet. Try following some users!">
          <Link href="/discover" className={buttonClass("outline")}>
            Discover
          </Link>
        </Notice>
      }
    />
  );
}

function ForYou() {
  const query = useInfiniteQuery(forYouFeed);
  const { refresh, isFetching } = useRefreshFeed("for-you");
  return (
    <PostList
      query={query}
      loggedOut={LOGGED_OUT}
      empty={
        <Notice title="No posts to show. Check back later for fresh content!">
          <Button look="outline" aria-busy={isFetching} onClick={() => void refresh()}>
            Refresh
          </Button>
        </Notice>
      }
    />
  );
}
