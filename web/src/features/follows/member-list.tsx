import type { ReactNode } from "react";
import type { List } from "@/api/lists";
import type { User } from "@/api/types";
import { cx } from "@/lib/cx";
import { InfiniteList } from "@/ui/infinite-list";
import { Bone, Loading } from "@/ui/skeleton";
import { MemberRow } from "./member-row";

interface Props {
  list: List<User>;
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

interface SkeletonProps {
  label?: string;
  count?: number;
  /** In a narrow column, which has its own margins. */
  narrow?: boolean;
}

export function MemberSkeletons({ label, count = 6, narrow = false }: SkeletonProps) {
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
