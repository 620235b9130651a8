import type { MessageDescriptor } from "@lingui/core";
import { msg, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import type { ProfileFilter } from "@/api/query-keys";
import { withRestoredPages } from "@/api/paginated-query";
import { userPostsQuery } from "@/api/posts";
import { queryClient } from "@/api/query-client";
import { useCurrentUser } from "@/api/auth";
import type { User } from "@/api/types";
import { userQuery } from "@/api/users";
import { FollowButton } from "@/features/follows/follow-button";
import { MoreMenu, renderPostMenu } from "./more-menu";
import { PostFeed } from "@/features/posts/post-feed";
import { EditProfileButton } from "@/features/profile/edit-profile-button";
import { ProfileHeader } from "@/features/profile/profile-header";
import { UnmuteUnblockButton } from "@/features/safety/unmute-unblock-button";
import { EmptyState } from "@/ui/empty-state";
import { QueryView } from "@/components/query-view";
import { Skeleton } from "@/ui/skeleton";
import { Tabs } from "@/ui/tabs";
import { PageTitle } from "@/components/page-title";
import { useCanonicalUsername } from "@/features/profile/use-canonical-username";

const filters: readonly {
  name: ProfileFilter;
  title: MessageDescriptor;
  empty: MessageDescriptor;
}[] = [
  { name: "posts", title: msg`Posts`, empty: msg`No posts yet.` },
  { name: "replies", title: msg`Replies`, empty: msg`No replies yet.` },
  { name: "media", title: msg`Media`, empty: msg`No media posts yet.` },
  { name: "likes", title: msg`Likes`, empty: msg`No liked posts yet.` },
];

export const preload = ({ username }: { username: string }) =>
  Promise.all([
    queryClient.prefetchQuery(userQuery(username)),
    queryClient.prefetchInfiniteQuery(withRestoredPages(userPostsQuery(username, "posts"))),
  ]);

export default function Profile({ username }: { username: string }) {
  const query = useCanonicalUsername(username);
  const user = query.data;
  return (
    <>
      <PageTitle title={user ? `${user.displayName} (@${user.username})` : t`Profile`} />
      {!user && query.isError && (
        <h1 className="sr-only">
          <Trans>Profile</Trans>
        </h1>
      )}
      <QueryView query={query} loading={<ProfileSkeleton />} notFound={t`User not found.`}>
        {(member) => <ProfileContent user={member} />}
      </QueryView>
    </>
  );
}

function ProfileSkeleton() {
  return (
    <div role="status">
      <h1 className="sr-only">
        <Trans>Profile</Trans>
      </h1>
      <span className="sr-only">
        <Trans>Loading profile...</Trans>
      </span>
      <div aria-hidden>
        <div className="aspect-[3/1] w-full animate-breathe bg-muted" />
        <div className="px-4 sm:px-5">
          <Skeleton className="-mt-12 size-24 ring-4 ring-background sm:-mt-15 sm:size-30" />
          <Skeleton className="mt-5 h-6 w-52" />
          <Skeleton className="mt-3 h-3.5 w-28" />
          <Skeleton className="mt-6 h-3.5 w-4/5" />
          <Skeleton className="mt-3 h-3.5 w-3/5" />
        </div>
      </div>
    </div>
  );
}

function ProfileContent({ user }: { user: User }) {
  const isOwn = user.id === useCurrentUser().id;
  const isBlockedEitherWay = user.isBlocked || user.blocksMe;
  return (
    <>
      <ProfileHeader
        user={user}
        isOwn={isOwn}
        action={
          isOwn ? (
            <EditProfileButton />
          ) : user.suspendedAt ? null : (
            <div className="flex items-center gap-1">
              <MoreMenu target={user} />
              {!isBlockedEitherWay && <FollowButton userId={user.id} username={user.username} />}
            </div>
          )
        }
      />
      {isBlockedEitherWay ? (
        <BlockedNotice user={user} />
      ) : (
        <ProfilePosts username={user.username} />
      )}
    </>
  );
}

/** Replaces the posts while one of two members blocks the other. */
function BlockedNotice({ user }: { user: User }) {
  if (user.isBlocked) {
    return (
      <EmptyState title={t`You blocked @${user.username}`}>
        <UnmuteUnblockButton kind="blocks" user={user} />
      </EmptyState>
    );
  }
  return (
    <EmptyState title={t`@${user.username} blocked you`}>
      <p className="text-muted-foreground">
        <Trans>You can't follow them or see their posts.</Trans>
      </p>
    </EmptyState>
  );
}

function ProfilePosts({ username }: { username: string }) {
  return (
    <Tabs
      label={t`Posts of this profile`}
      tabs={filters.map(({ name, title, empty }) => ({
        name,
        title,
        render: () => (
          <PostFeed
            list={userPostsQuery(username, name)}
            renderMenu={renderPostMenu}
            empty={<EmptyState title={t(empty)} />}
          />
        ),
      }))}
    />
  );
}
