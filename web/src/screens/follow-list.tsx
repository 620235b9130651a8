import { Link } from "wouter";
import type { FollowDirection } from "@/api/query-keys";
import { useCurrentUser } from "@/api/auth";
import { followListQuery } from "@/api/users";
import { MemberList } from "@/features/follows/member-list";
import { buttonClass } from "@/ui/button";
import { Notice } from "@/ui/notice";
import { PageHead } from "@/ui/page-head";
import { Title } from "@/ui/title";
import { usePresentUsername } from "./use-present-username";

const sides = {
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
  const { title, empty } = sides[side];
  usePresentUsername(username, `/${side}`);
  const profile = { href: `/profile/${username}`, label: "Back to profile" };
  const isMe = useCurrentUser().username === username.toLowerCase();
  const next = isMe ? { href: "/invites", label: "Invite Friends" } : profile;
  return (
    <>
      <Title page={`${title} of @${username}`} />
      <PageHead back={profile} title={title} note={`@${username}`} />
      <MemberList
        list={followListQuery(username, side)}
        notFound="User not found."
        empty={
          <Notice title={empty}>
            <Link href={next.href} className={buttonClass("outline")}>
              {next.label}
            </Link>
          </Notice>
        }
      />
    </>
  );
}
