import { msg, t } from "@lingui/core/macro";
import { Link } from "wouter";
import type { FollowDirection } from "@/api/query-keys";
import { useCurrentUser } from "@/api/auth";
import { followListQuery } from "@/api/users";
import { renderFollowButton } from "@/features/follows/follow-button";
import { UserList } from "@/features/users/user-list";
import { buttonClass } from "@/ui/button";
import { EmptyState } from "@/ui/empty-state";
import { PageHeader } from "@/ui/page-header";
import { PageTitle } from "@/components/page-title";
import { useCanonicalUsername } from "@/features/profile/use-canonical-username";

const directionTexts = {
  followers: {
    title: msg`Followers`,
    empty: msg`No followers yet.`,
    pageTitle: (username: string) => t`Followers of @${username}`,
  },
  following: {
    title: msg({ message: "Following", context: "list" }),
    empty: msg`Not following anyone yet.`,
    pageTitle: (username: string) => t`Following of @${username}`,
  },
};

export default function FollowList({
  username,
  side,
}: {
  username: string;
  side: FollowDirection;
}) {
  const { title, empty, pageTitle } = directionTexts[side];
  useCanonicalUsername(username, `/${side}`);
  const profile = { href: `/profile/${username}`, label: t`Back to profile` };
  const isMe = useCurrentUser().username === username.toLowerCase();
  const next = isMe ? { href: "/invites", label: t`Invite Friends` } : profile;
  return (
    <>
      <PageTitle title={pageTitle(username)} />
      <PageHeader back={profile} title={t(title)} note={`@${username}`} />
      <UserList
        renderAction={renderFollowButton}
        list={followListQuery(username, side)}
        notFound={t`User not found.`}
        empty={
          <EmptyState title={t(empty)}>
            <Link href={next.href} className={buttonClass("outline")}>
              {next.label}
            </Link>
          </EmptyState>
        }
      />
    </>
  );
}
