import { useQuery } from "@tanstack/react-query";
import { hasStatus } from "@/api/error";
import { threadQuery } from "@/api/posts";
import { Replies } from "@/features/posts/replies";
import { MainPost } from "@/features/posts/main-post";
import { useTitle } from "@/lib/use-title";
import { BackLink } from "@/ui/back-link";
import { FailureNotice, Notice } from "@/ui/notice";
import { PostSkeletons } from "@/ui/skeleton";

/** A post and the conversation under it. */
export default function Thread({ id }: { id: string }) {
  useTitle("Thread");
  return (
    <>
      <header className="sticky top-0 z-10 flex h-16 items-center gap-2 border-b border-line bg-paper/90 px-2 backdrop-blur-md max-lg:top-14 sm:px-3">
        <BackLink href="/" label="Back to home" />
        <h1 className="font-serif text-[28px] leading-none">Thread</h1>
      </header>
      <Conversation id={id} />
    </>
  );
}

function Conversation({ id }: { id: string }) {
  const { data, error, refetch } = useQuery(threadQuery(id));
  if (data) {
    return (
      <>
        <MainPost id={data.id} />
        <Replies postId={data.id} ids={data.replyIds} />
      </>
    );
  }
  if (hasStatus(error, 404) || hasStatus(error, 400)) return <Notice title="Post not found" />;
  if (error) return <FailureNotice error={error} onRetry={() => void refetch()} />;
  return <PostSkeletons label="Loading..." count={3} />;
}
