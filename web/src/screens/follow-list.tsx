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
  followers: { title: "Followers", empty: "No followers yet." },
  following: { title: "Following", empty: "Not following anyone yet." },
};

export default function FollowList({
  username,
  side,
}: {
  username: string;
  side: FollowDirection;
}) {
  const { title, empty } = directionTexts[side];
  useCanonicalUsername(username, `/${side}`);
  const profile = { href: `/profile/${username}`, label: "Back to profile" };
  const isMe = useCurrentUser().username === username.toLowerCase();
  const next = isMe ? { href: "/invites", label: "Invite Friends" } : profile;
  return (
    <>
      <PageTitle title={`${title} of @${username}`} />
      <PageHeader back={profile} title={title} note={`@${username}`} />
      <UserList
        renderAction={renderFollowButton}
        list={followListQuery(username, side)}
        notFound="User not found."
        empty={
          <EmptyState title={empty}>
            <Link href={next.href} className={buttonClass("outline")}>
              {next.label}
            </Link>
          </EmptyState>
        }
      />
    </>
  );
}
