import type { ReactNode } from "react";
import type { PaginatedQuery } from "@/api/paginated-query";
import type { User } from "@/api/types";
import { PaginatedList } from "@/components/paginated-list";
import { UserListItem } from "./user-list-item";
import { UserListSkeleton } from "./user-list-skeleton";

interface Props {
  list: PaginatedQuery<User>;
  empty: ReactNode;
  notFound?: string;
  compact?: boolean;
  renderAction: (user: User) => ReactNode;
}

export function UserList({ compact = false, renderAction, ...rest }: Props) {
  return (
    <PaginatedList {...rest} loading={<UserListSkeleton />}>
      {(users) => (
        <ul>
          {users.map((user) => (
            <UserListItem key={user.id} user={user} compact={compact} renderAction={renderAction} />
          ))}
        </ul>
      )}
    </PaginatedList>
  );
}
