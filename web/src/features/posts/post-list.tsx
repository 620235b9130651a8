import type { ReactNode } from "react";
import type { PaginatedQuery } from "@/api/paginated-query";
import type { PostRow } from "@/api/post-cache";
import { InfiniteList } from "@/ui/infinite-list";
import { PostSkeletons } from "@/ui/skeleton";
import { FeedRows } from "./feed-rows";
import { PostCard } from "./post-card";

interface Props {
  list: PaginatedQuery<PostRow>;
  empty: ReactNode;
  notFound?: string;
  loggedOut?: ReactNode;
}

export function PostList(props: Props) {
  return (
    <InfiniteList {...props} more="Load more posts" loading={<PostSkeletons />}>
      {(rows) => {
        const byId = new Map(rows.map((row) => [row.id, row]));
        return (
          <FeedRows ids={[...byId.keys()]}>
            {(id) => <PostCard {...byId.get(id)} id={id} />}
          </FeedRows>
        );
      }}
    </InfiniteList>
  );
}
