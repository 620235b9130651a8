import type { ReactNode } from "react";
import { Link } from "wouter";
import type { PaginatedQuery } from "@/api/paginated-query";
import { useCurrentUser } from "@/api/auth";
import type { User } from "@/api/types";
import { cx } from "@/lib/dom/cx";
import { Avatar } from "@/ui/avatar";
import { InfiniteList } from "@/ui/infinite-list";
import { Bone, Loading } from "@/ui/skeleton";
import { FollowButton } from "./follow-button";

interface RowProps {
  user: User;
  why?: string | undefined;
  narrow?: boolean;
  action?: ReactNode;
}

/** A member in a list of people. The whole row leads to the profile; the button follows. */
export function MemberRow({ user, why, narrow = false, action }: RowProps) {
  const me = useCurrentUser();
  const { id, username, displayName, bio, followsYou } = user;
  return (
    <li
      tabIndex={-1}
      data-row={id}
      className={cx(
        "relative border-b -outline-offset-2 border-line transition-colors duration-150",
        narrow ? "py-3" : "px-4 py-3.5 hover:bg-wash/50 sm:px-5",
      )}
    >
      <div className="flex items-center gap-3">
        <Avatar member={user} size={narrow ? "small" : "medium"} />
        <div className="min-w-0 flex-1 leading-5">
          <Link
            href={`/profile/${username}`}
            dir="auto"
            className="block w-fit max-w-full truncate font-semibold after:absolute after:inset-0 hover:underline focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-ember"
          >
            {displayName || username}
          </Link>
          <span className="flex gap-2 text-sm text-muted">
            <span className="min-w-0 truncate">@{username}</span>
            {followsYou && why === undefined && (
              <span className="shrink-0 rounded-full bg-wash px-2">Follows you</span>
            )}
          </span>
        </div>
        {id !== me.id && (
          <div className="relative shrink-0">
            {action ?? <FollowButton userId={id} username={username} />}
          </div>
        )}
      </div>
      <div className={cx("space-y-0.5 empty:hidden", narrow ? "pl-12" : "pl-14")}>
        {bio !== "" && !narrow && (
          <p
            dir="auto"
            className="mt-1 line-clamp-2 text-left text-[15px] [overflow-wrap:anywhere]"
          >
            {bio}
          </p>
        )}
        {why !== undefined && (
          <p className="mt-0.5 line-clamp-2 text-sm text-muted [overflow-wrap:anywhere]">{why}</p>
        )}
      </div>
    </li>
  );
}

interface Props {
  list: PaginatedQuery<User>;
  empty: ReactNode;
  notFound?: string;
  narrow?: boolean;
  renderAction?: (user: User) => ReactNode;
}

export function MemberList({ narrow = false, renderAction, ...rest }: Props) {
  return (
    <InfiniteList {...rest} loading={<MemberSkeletons />}>
      {(members) => (
        <ul>
          {members.map((user) => (
            <MemberRow key={user.id} user={user} narrow={narrow} action={renderAction?.(user)} />
          ))}
        </ul>
      )}
    </InfiniteList>
  );
}

export function MemberSkeletons(props: { label?: string; count?: number; narrow?: boolean }) {
  const { label, count = 6, narrow = false } = props;
  return (
    <Loading
      label={label}
      count={count}
      className={cx("border-b border-line", narrow ? "py-3" : "px-4 py-4.5 sm:px-5")}
    >
      {(index) => (
        <>
          <div className="flex items-center gap-3">
            <Bone className={cx("shrink-0", narrow ? "size-9" : "size-11")} />
            <div className="flex-1 space-y-2.5">
              <Bone className={index % 2 === 0 ? "h-3.5 w-28" : "h-3.5 w-36"} />
              <Bone className="h-2.5 w-20 opacity-60" />
            </div>
            <Bone className="h-9 w-26 opacity-60" />
          </div>
          {narrow && <Bone className="my-3 ml-12 h-2.5 w-44 opacity-60" />}
        </>
      )}
    </Loading>
  );
}
