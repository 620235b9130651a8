import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { hasStatus } from "@/api/error";
import { followList } from "@/api/follows";
import type { FollowSide } from "@/api/keys";
import { useMember } from "@/api/session";
import { MemberList } from "@/features/follows/member-list";
import { useTitle } from "@/lib/use-title";
import { buttonClass } from "@/ui/button";
import { Notice } from "@/ui/notice";
import { PageHead } from "@/ui/page-head";
import { usePresentHandle } from "./use-present-handle";

const sides = {
  followers: { title: "Followers", empty: "No followers yet." },
  following: { title: "Following", empty: "Not following anyone yet." },
};

interface Props {
  username: string;
  side: FollowSide;
}

/** Who follows a member, or whom a member follows. */
export default function FollowList({ username, side }: Props) {
  const { title } = sides[side];
  useTitle(`${title} of @${username}`);
  usePresentHandle(username, `/${side}`);
  const back = { href: `/profile/${username}`, label: "Back to profile" };
  return (
    <>
      <PageHead back={back} title={title} note={`@${username}`} />
      <Members username={username} side={side} />
    </>
  );
}

function Members({ username, side }: Props) {
  const isMe = useMember().username === username.toLowerCase();
  const query = useInfiniteQuery(followList(username, side));
  if (hasStatus(query.error, 404) || hasStatus(query.error, 400)) {
    return (
      <Notice title="User not found.">
        <Link href="/" className={buttonClass("outline")}>
          Back to home
        </Link>
      </Notice>
    );
  }
  const empty = (
    <Notice title={sides[side].empty}>
      <Link href={isMe ? "/invites" : `/profile/${username}`} className={buttonClass("outline")}>
        {isMe ? "Invite Friends" : "Back to profile"}
      </Link>
    </Notice>
  );
  return <MemberList query={query} empty={empty} />;
}
