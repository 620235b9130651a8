import { useQueries, useQuery } from "@tanstack/react-query";
import { postQuery } from "@/api/posts";
import { useMember } from "@/api/session";
import { useFirstFew } from "@/lib/use-first-few";
import { Avatar } from "@/ui/avatar";
import { openCompose } from "./compose";
import { FeedRows } from "./feed-rows";
import { PostCard } from "./post-card";

interface Props {
  postId: string;
  /** In the server's order: oldest first, answers under what they answer. */
  ids: readonly string[];
}

/** The replies to a post; answers to a reply are set under it, one level deep. */
export function Replies({ postId, ids }: Props) {
  const me = useMember();
  const { data: post } = useQuery(postQuery(postId));
  const replies = useQueries({ queries: ids.map((id) => postQuery(id)) });
  const shown = useFirstFew(ids);
  const parents = new Map(replies.map(({ data }) => [data?.id, data?.replyToId]));
  const isNested = (id: string) => {
    const parent = parents.get(id);
    return parent != null && parent !== postId && ids.includes(parent);
  };
  return (
    <section aria-label="Replies">
      {post && !post.isDeleted && (
        <button
          type="button"
          onClick={() => openCompose(post)}
          className="flex w-full items-center gap-3 border-b border-line px-4 py-3.5 text-left text-lg text-muted transition-colors hover:bg-wash/50 sm:px-5 focus-visible:-outline-offset-2"
        >
          <Avatar member={me} size="small" />
          Write your reply
        </button>
      )}
      <FeedRows ids={shown}>
        {(id) => (
          <PostCard
            id={id}
            place={isNested(id) ? "nested" : "below"}
            likeFailure="Failed to update like. Please try again."
          />
        )}
      </FeedRows>
    </section>
  );
}
