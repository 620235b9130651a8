import { useQuery } from "@tanstack/react-query";
import { Repeat2 } from "lucide-react";
import { memo } from "react";
import { Link } from "wouter";
import { postQuery } from "@/api/posts";
import type { Post, PostAuthor, Reason } from "@/api/types";
import { cx } from "@/lib/cx";
import { Age } from "@/ui/age";
import { Avatar } from "@/ui/avatar";
import { MemberName } from "@/ui/member-name";
import { useOpenPost } from "./open-post";
import { Poll } from "./poll";
import { PostActions } from "./post-actions";
import { PostImages } from "./post-images";
import { PostMenu } from "./post-menu";
import { PostText } from "./post-text";
import { ReasonLine } from "./reason-line";
import { isAbove, type Place, Strand, Tombstone } from "./thread-place";

interface Props {
  id: string;
  /** What to say when a like fails. */
  likeFailure: string;
  /** Why it is shown, where the list says so. */
  reason?: Reason | undefined;
  place?: Place | undefined;
}

/**
 * A post in a list. A repost shows the original, under the name of who passed it on. It is remembered,
 * so that a list of thousands that grows renders its new posts only.
 */
export const PostCard = memo(function PostCard({ id, likeFailure, reason, place }: Props) {
  const { data: entry } = useQuery(postQuery(id));
  if (!entry) return null;
  // Only a thread keeps the place of what was deleted.
  if (entry.isDeleted) {
    return place ? <Tombstone place={place} isHidden={entry.isHidden} /> : null;
  }
  if (!entry.repostOfId) {
    return <Card post={entry} likeFailure={likeFailure} reason={reason} place={place} />;
  }
  if (!entry.repostOf) return <Gone by={entry.author} />;
  return <Original id={entry.repostOf.id} by={entry.author} likeFailure={likeFailure} />;
});

function Original({ id, by, likeFailure }: { id: string; by: PostAuthor; likeFailure: string }) {
  const { data: post } = useQuery(postQuery(id));
  return post && !post.isDeleted ? <Card post={post} by={by} likeFailure={likeFailure} /> : null;
}

interface CardProps {
  post: Post;
  by?: PostAuthor;
  likeFailure: string;
  reason?: Reason | undefined;
  place?: Place | undefined;
}

function Card({ post, by, likeFailure, reason, place }: CardProps) {
  const handlers = useOpenPost(post.id);
  const { author } = post;
  // Elsewhere in a thread what it answers stands right above it.
  const saysWhom = place === undefined || place === "top" || place === "nested";
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- the age inside is the same link for keyboards
    <article
      {...handlers}
      tabIndex={-1}
      data-row
      aria-label={`Post by ${author.displayName || author.username}`}
      className={cx(
        "relative cursor-pointer scroll-my-20 -outline-offset-2 border-line px-4 pt-3.5 pb-2 transition-colors duration-150 hover:bg-wash/50 sm:px-5",
        !isAbove(place) && "border-b",
        place === "nested" && "pl-10 sm:pl-16",
      )}
    >
      {isAbove(place) && <Strand from={place === "top" ? "avatar" : "edge"} to="edge" />}
      {by && <RepostLine by={by} />}
      {reason && <ReasonLine reason={reason} />}
      <div className="flex gap-3">
        <Link
          href={`/profile/${author.username}`}
          tabIndex={-1}
          aria-hidden
          className="relative flex h-fit rounded-full bg-paper"
        >
          <Avatar member={author} size={place === "nested" ? "small" : "medium"} />
        </Link>
        <div className="min-w-0 flex-1">
          <div className="flex min-w-0 items-baseline gap-1.5 leading-5">
            <MemberName member={author} />
            <span className="max-w-3/5 shrink-0 truncate text-sm text-muted">
              @{author.username}
            </span>
            <Link
              href={`/post/${post.id}`}
              data-action="open"
              className="shrink-0 text-sm whitespace-nowrap text-muted hover:underline"
            >
              <span aria-hidden>· </span>
              <Age at={post.createdAt} />
            </Link>
            <PostMenu post={post} />
          </div>
          {saysWhom && <ReplyLine post={post} />}
          <div className="mt-0.5">
            <PostText post={post} />
          </div>
          <PostImages post={post} place={place === "nested" ? "nested" : "card"} />
          <Poll post={post} />
          <PostActions post={post} likeFailure={likeFailure} />
        </div>
      </div>
    </article>
  );
}

/** Whom a reply answers. */
export function ReplyLine({ post }: { post: Post }) {
  if (!post.replyTo) return null;
  return (
    <p className="text-sm text-muted">
      Replying to{" "}
      <Link
        href={`/post/${post.replyTo.id}`}
        className="font-medium text-ember-deep underline decoration-ember/40 underline-offset-3 hover:decoration-current"
      >
        @{post.replyTo.author.username}
      </Link>
    </p>
  );
}

function RepostLine({ by }: { by: PostAuthor }) {
  return (
    <p className="mb-1.5 flex items-center gap-2 pl-8 text-sm font-medium text-muted">
      <Repeat2 size={16} aria-hidden className="shrink-0" />
      <span className="min-w-0 truncate">
        <Link href={`/profile/${by.username}`} className="hover:underline">
          {by.displayName || by.username}
        </Link>{" "}
        reposted
      </span>
    </p>
  );
}

function Gone({ by }: { by: PostAuthor }) {
  return (
    <div className="border-b border-line px-4 py-3.5 sm:px-5">
      <RepostLine by={by} />
      <p className="pl-14 text-muted">This post is no longer available.</p>
    </div>
  );
}
