import type { ProfileFilter } from "@/api/query-keys";
import { withRestoredPages } from "@/api/paginated-query";
import { userPostsQuery } from "@/api/posts";
import { queryClient } from "@/api/query-client";
import { useCurrentUser } from "@/api/auth";
import type { User } from "@/api/types";
import { userQuery } from "@/api/users";
import { FollowButton } from "@/features/follows/follow-button";
import { MoreMenu } from "@/features/posts/more-menu";
import { PostList } from "@/features/posts/post-list";
import { EditProfile } from "@/features/profile/edit-profile";
import { ProfileHeader } from "@/features/profile/profile-header";
import { KeepAwayButton } from "@/ui/keep-away-button";
import { Notice } from "@/ui/notice";
import { QueryView } from "@/ui/query-view";
import { Bone } from "@/ui/skeleton";
import { Tabs } from "@/ui/tabs";
import { Title } from "@/ui/title";
import { usePresentUsername } from "./use-present-username";

const filters: readonly { name: ProfileFilter; title: string; empty: string }[] = [
  { name: "posts", title: "Posts", empty: "No posts yet." },
  { name: "replies", title: "Replies", empty: "No replies yet." },
  { name: "media", title: "Media", empty: "No media posts yet." },
  { name: "likes", title: "Likes", empty: "No liked posts yet." },
];

export const loadFirst = ({ username }: { username: string }) =>
  Promise.all([
    queryClient.prefetchQuery(userQuery(username)),
    queryClient.prefetchInfiniteQuery(withRestoredPages(userPostsQuery(username, "posts"))),
  ]);

export default function Profile({ username }: { username: string }) {
  const query = usePresentUsername(username);
  const user = query.data;
  return (
    <>
      <Title page={user ? `${user.displayName} (@${user.username})` : "Profile"} />
      {!user && query.isError && <h1 className="sr-only">Profile</h1>}
      <QueryView query={query} loading={<ProfileSkeleton />} notFound="User not found.">
        {(member) => <Content user={member} />}
      </QueryView>
    </>
  );
}

function ProfileSkeleton() {
  return (
    <div role="status">
      <h1 className="sr-only">Profile</h1>
      <span className="sr-only">Loading profile...</span>
      <div aria-hidden>
        <div className="aspect-[3/1] w-full animate-breathe bg-wash" />
        <div className="px-4 sm:px-5">
          <Bone className="-mt-12 size-24 ring-4 ring-paper sm:-mt-15 sm:size-30" />
          <Bone className="mt-5 h-6 w-52" />
          <Bone className="mt-3 h-3.5 w-28" />
          <Bone className="mt-6 h-3.5 w-4/5" />
          <Bone className="mt-3 h-3.5 w-3/5" />
        </div>
      </div>
    </div>
  );
}

function Content({ user }: { user: User }) {
  const isOwn = user.id === useCurrentUser().id;
  const isApart = user.isBlocked || user.blocksMe;
  return (
    <>
      <ProfileHeader
        user={user}
        isOwn={isOwn}
        action={
          isOwn ? (
            <EditProfile />
          ) : user.suspendedAt ? null : (
            <div className="flex items-center gap-1">
              <MoreMenu about={user} />
              {!isApart && <FollowButton userId={user.id} username={user.username} />}
            </div>
          )
        }
      />
      {isApart ? <Blocked user={user} /> : <Posts username={user.username} />}
    </>
  );
}

/** Replaces the posts while one of two members blocks the other. */
function Blocked({ user }: { user: User }) {
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
  return (
    <Tabs
      label="Posts of this profile"
      tabs={filters.map(({ name, title, empty }) => ({
        name,
        title,
        render: () => (
          <PostList list={userPostsQuery(username, name)} empty={<Notice title={empty} />} />
        ),
      }))}
    />
  );
}
