import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { friendsFeed } from "@/api/posts";
import { Composer } from "@/features/posts/composer";
import { PostList } from "@/features/posts/post-list";
import { WelcomeCard } from "@/features/profile/welcome-card";
import { useTabParam } from "@/lib/use-tab-param";
import { useTitle } from "@/lib/use-title";
import { buttonClass } from "@/ui/button";
import { Notice } from "@/ui/notice";
import { Tabs } from "@/ui/tabs";
import { ThemeToggle } from "@/ui/theme-toggle";

const tabs = [{ name: "friends", title: "Friends", render: () => <FriendsFeed /> }] as const;

/** The member's feeds, with a composer above them. */
export default function Home() {
  useTitle("Home");
  const [tab, setTab] = useTabParam(tabs.map(({ name }) => name));
  return (
    <>
      <header className="flex h-16 items-center justify-between px-4 sm:px-5">
        <h1 className="font-serif text-[32px] leading-none">Home</h1>
        <ThemeToggle className="-mr-2 max-lg:hidden" />
      </header>
      <WelcomeCard />
      <div className="border-y border-line px-4 pt-4 pb-3 sm:px-5">
        <Composer rows={2} />
      </div>
      <Tabs label="Feeds" value={tab} onChange={setTab} tabs={tabs} />
    </>
  );
}

function FriendsFeed() {
  const query = useInfiniteQuery(friendsFeed);
  return (
    <PostList
      query={query}
      loggedOut="Please log in to see your feed."
      empty={
        <Notice title="No posts from people you follow yet. Try following some users!">
          <Link href="/invites" className={buttonClass("outline")}>
            Invite Friends
          </Link>
        </Notice>
      }
    />
  );
}
