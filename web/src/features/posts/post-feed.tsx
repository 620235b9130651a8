import { t } from "@lingui/core/macro";
import type { ReactNode } from "react";
import type { PaginatedQuery } from "@/api/paginated-query";
import type { PostRow } from "@/api/post-cache";
import { PaginatedList } from "@/components/paginated-list";
import { PostListSkeleton } from "@/ui/skeleton";
import { OffscreenSkippingList } from "./offscreen-skipping-list";
import { PostCard, type RenderPostMenu } from "./post-card";

interface Props {
  list: PaginatedQuery<PostRow>;
  empty: ReactNode;
  notFound?: string;
  loggedOut?: ReactNode;
  renderMenu: RenderPostMenu;
}

export function PostFeed({ renderMenu, ...props }: Props) {
  return (
    <PaginatedList {...props} more={t`Load more posts`} loading={<PostListSkeleton />}>
      {(rows) => {
        const byId = new Map(rows.map((row) => [row.id, row]));
        return (
          <OffscreenSkippingList ids={[...byId.keys()]}>
            {(id) => <PostCard {...byId.get(id)} id={id} renderMenu={renderMenu} />}
          </OffscreenSkippingList>
        );
      }}
    </PaginatedList>
  );
}
