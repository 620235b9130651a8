import { useQuery } from "@tanstack/react-query";
import { threadQuery } from "@/api/posts";
import { queryClient } from "@/api/query-client";
import { Conversation } from "@/features/posts/conversation";
import { PageHead } from "@/ui/page-head";
import { QueryView } from "@/ui/query-view";
import { PostSkeletons } from "@/ui/skeleton";

export const loadFirst = ({ id }: { id: string }) => queryClient.prefetchQuery(threadQuery(id));

export default function Thread({ id }: { id: string }) {
  const query = useQuery(threadQuery(id));
  return (
    <>
      <PageHead back={{ href: "/", label: "Back to home" }} title="Thread" />
      <QueryView query={query} loading={<PostSkeletons count={3} />} notFound="Post not found">
        {(thread) => <Conversation thread={thread} />}
      </QueryView>
    </>
  );
}
