import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { threadQuery } from "@/api/posts";
import { queryClient } from "@/api/query-client";
import { ThreadView } from "@/features/posts/thread-view";
import { PageHeader } from "@/ui/page-header";
import { QueryView } from "@/components/query-view";
import { PostListSkeleton } from "@/ui/skeleton";
import { renderPostMenu } from "./more-menu";

export const preload = ({ id }: { id: string }) => queryClient.prefetchQuery(threadQuery(id));

export default function Thread({ id }: { id: string }) {
  const query = useQuery(threadQuery(id));
  return (
    <>
      <PageHeader back={{ href: "/", label: t`Back to home` }} title={t`Thread`} />
      <QueryView
        query={query}
        loading={<PostListSkeleton count={3} />}
        notFound={t`Post not found`}
      >
        {(thread) => <ThreadView thread={thread} renderMenu={renderPostMenu} />}
      </QueryView>
    </>
  );
}
