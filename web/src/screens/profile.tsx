import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { hasStatus } from "@/api/error";
import type { ProfileFilter } from "@/api/keys";
import { userPosts } from "@/api/posts";
import { useMember } from "@/api/session";
import type { User } from "@/api/types";
import { FollowButton } from "@/features/follows/follow-button";
import { PostList } from "@/features/posts/post-list";
import { EditProfile } from "@/features/profile/edit-profile";
import { ProfileHeader } from "@/features/profile/profile-header";
import { ProfileMenu } from "@/features/profile/profile-menu";
import { useTabParam } from "@/lib/use-tab-param";
import { useTitle } from "@/lib/use-title";
import { buttonClass } from "@/ui/button";
import { KeepAwayButton } from "@/ui/keep-away-button";
import { FailureNotice, Notice } from "@/ui/notice";
import { StaleNotice } from "@/ui/stale-notice";
import { ProfileSkeleton } from "@/ui/profile-skeleton";
import { Tabs } from "@/ui/tabs";
import { usePresentHandle } from "./use-present-handle";

const filters: readonly { name: ProfileFilter; title: string; empty: string }[] = [
  { name: "posts", title: "Posts", empty: "No posts yet." },
  { name: "replies", title: "Replies", empty: "No replies yet." },
  { name: "media", title: "Media", empty: "No media posts yet." },
  { name: "likes", title: "Likes", empty: "No liked posts yet." },
];

/** A member and what they wrote. */
export default function Profile({ username }: { username: string }) {
  const me = useMember();
  const query = usePresentHandle(username);
  const { data: user, error } = query;
  useTitle(user ? `${user.displayName} (@${user.username})` : "Profile");

  if (!user) {
    if (hasStatus(error, 404) || hasStatus(error, 400)) {
      return (
        <div className="pt-16">
          <h1 className="sr-only">Profile</h1>
          <Notice title="User not found.">
            <Link href="/" className={buttonClass("outline")}>
              Back to home
            </Link>
          </Notice>
        </div>
      );
    }
    if (error) {
      return (
        <>
          <h1 className="sr-only">Profile</h1>
          <FailureNotice error={error} onRetry={() => void query.refetch()} />
        </>
      );
    }
    return <ProfileSkeleton />;
  }
  const isApart = user.isBlocked || user.blocksMe;
  return (
    <>
      <StaleNotice query={query} />
      <ProfileHeader
        user={user}
        isOwn={user.id === me.id}
        action={
          user.id === me.id ? (
            <EditProfile />
          ) : (
            <div className="flex items-center gap-1">
              <ProfileMenu user={user} />
              {!isApart && <FollowButton userId={user.id} username={user.username} />}
            </div>
          )
        }
      />
      {isApart ? <Apart user={user} /> : <Posts username={user.username} />}
    </>
  );
}

/** What stands in the place of posts while one of two members blocks the other. */
function Apart({ user }: { user: User }) {
  if (user.isBlocked) {
    return (
      <Notice title={`You blocked @${user.username}`}>
        <KeepAwayButton list="blocks" member={user} />
      </Notice>
    );
  }
  return (
    <Notice title={`@${user.username} blocked you`}>
      <p className="text-muted">You can't follow them or see their posts.</p>
    </Notice>
  );
}

function Posts({ username }: { username: string }) {
  const [tab, setTab] = useTabParam(filters.map(({ name }) => name));
  return (
    <Tabs
      label="Posts of this profile"
      value={tab}
      onChange={setTab}
      tabs={filters.map(({ name, title, empty }) => ({
        name,
        title,
        render: () => <ProfilePosts username={username} filter={name} empty={empty} />,
      }))}
    />
  );
}

interface ProfilePostsProps {
  username: string;
  filter: ProfileFilter;
  empty: string;
}

function ProfilePosts({ username, filter, empty }: ProfilePostsProps) {
  const query = useInfiniteQuery(userPosts(username, filter));
  return (
    <PostList
      query={query}
      empty={<Notice title={empty} />}
      likeFailure="Failed to like post. Please try again."
    />
  );
}
