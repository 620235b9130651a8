import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { hasStatus } from "@/api/error";
import type { ProfileFilter } from "@/api/keys";
import { userPosts } from "@/api/posts";
import { useMember } from "@/api/session";
import { FollowButton } from "@/features/follows/follow-button";
import { PostList } from "@/features/posts/post-list";
import { EditProfile } from "@/features/profile/edit-profile";
import { ProfileHeader } from "@/features/profile/profile-header";
import { useTabParam } from "@/lib/use-tab-param";
import { useTitle } from "@/lib/use-title";
import { buttonClass } from "@/ui/button";
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
  const [tab, setTab] = useTabParam(filters.map(({ name }) => name));
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
            <FollowButton userId={user.id} username={user.username} />
          )
        }
      />
      <Tabs
        label="Posts of this profile"
        value={tab}
        onChange={setTab}
        tabs={filters.map(({ name, title, empty }) => ({
          name,
          title,
          render: () => <ProfilePosts username={user.username} filter={name} empty={empty} />,
        }))}
      />
    </>
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
