import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { hasStatus } from "@/api/error";
import { threadQuery } from "@/api/posts";
import { Conversation } from "@/features/posts/conversation";
import { useTitle } from "@/lib/use-title";
import { buttonClass } from "@/ui/button";
import { FailureNotice, Notice } from "@/ui/notice";
import { StaleNotice } from "@/ui/stale-notice";
import { PageHead } from "@/ui/page-head";
import { PostSkeletons } from "@/ui/skeleton";

/** A post, what leads to it, and the conversation under it. */
export default function Thread({ id }: { id: string }) {
  useTitle("Thread");
  return (
    <>
      <PageHead back={{ href: "/", label: "Back to home" }} title="Thread" />
      <Content id={id} />
    </>
  );
}

function Content({ id }: { id: string }) {
  const query = useQuery(threadQuery(id));
  const { data, error } = query;
  if (hasStatus(error, 404) || hasStatus(error, 400)) {
    return (
      <Notice title="Post not found">
        <Link href="/" className={buttonClass("outline")}>
          Back to home
        </Link>
      </Notice>
    );
  }
  if (data) {
    return (
      <>
        <StaleNotice query={query} />
        <Conversation thread={data} />
      </>
    );
  }
  if (error) return <FailureNotice error={error} onRetry={() => void query.refetch()} />;
  return <PostSkeletons label="Loading..." count={3} />;
}
