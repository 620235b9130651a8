import { Link } from "wouter";
import { useMember } from "@/api/session";
import type { User } from "@/api/types";
import { Avatar } from "@/ui/avatar";
import { MemberName } from "@/ui/member-name";
import { FollowButton } from "./follow-button";

/** A member in a list: who it is, the first lines of the bio, and the way to follow. */
export function MemberRow({ user }: { user: User }) {
  const me = useMember();
  return (
    <li
      tabIndex={-1}
      data-row
      className="flex gap-3 border-b -outline-offset-2 border-line px-4 py-3.5 sm:px-5"
    >
      <Link href={`/profile/${user.username}`} tabIndex={-1} aria-hidden className="h-fit">
        <Avatar member={user} />
      </Link>
      <div className="min-w-0 flex-1">
        <div className="flex items-center gap-3">
          <div className="flex min-w-0 flex-1 flex-col items-start leading-5">
            <MemberName member={user} />
            <span className="flex max-w-full gap-2 text-sm text-muted">
              <span className="min-w-0 truncate">@{user.username}</span>
              {user.followsYou && (
                <span className="shrink-0 rounded-full bg-wash px-2">Follows you</span>
              )}
            </span>
          </div>
          {user.id !== me.id && <FollowButton userId={user.id} username={user.username} />}
        </div>
        {user.bio && (
          <p dir="auto" className="mt-1 line-clamp-2 text-[15px] [overflow-wrap:anywhere]">
            {user.bio}
          </p>
        )}
      </div>
    </li>
  );
}
