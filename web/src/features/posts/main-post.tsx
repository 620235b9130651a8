import { Link, useLocation } from "wouter";
import { useOriginalPost } from "@/api/posts";
import { goBack } from "@/lib/navigation/overlay-history";
import { formatDateTime } from "@/lib/time/format-date";
import { getReferrerPath } from "@/lib/navigation/scroll-restoration";
import { Avatar } from "@/ui/avatar";
import { UserNameLink } from "@/components/user-name-link";
import type { RenderPostMenu } from "./post-card";
import { Poll } from "./poll";
import { PostActions } from "./post-actions";
import { PostImages } from "./post-images";
import { ReplyLine } from "./post-lines";
import { PostText } from "./post-text";
import { Strand, Tombstone } from "./thread-place";

interface Props {
  id: string;
  isTied: boolean;
  renderMenu: RenderPostMenu;
}

/** The post that a thread is about, at full size; `isTied` where the answered post is above it. */
export function MainPost({ id, isTied, renderMenu }: Props) {
  const post = useOriginalPost(id);
  const [, navigate] = useLocation();
  if (!post) return null;
  if (post.isDeleted) return <Tombstone />;
  const { author } = post;
  /** Leads back to the page before, or to Home where that is not of this app. */
  const leave = () => (getReferrerPath() === null ? navigate("/", { replace: true }) : goBack());
  return (
    <article
      tabIndex={-1}
      className="relative border-b border-line px-4 pt-5 pb-2 -outline-offset-2 sm:px-5"
    >
      {isTied && <Strand from="edge" to="avatar" />}
      <div className="flex items-center gap-3">
        <Link
          href={`/profile/${author.username}`}
          tabIndex={-1}
          aria-hidden
          className="relative rounded-full bg-paper"
        >
          <Avatar user={author} />
        </Link>
        <div className="flex min-w-0 flex-col leading-5">
          <UserNameLink user={author} />
          <span className="truncate text-sm text-muted">@{author.username}</span>
        </div>
        {renderMenu(post, leave)}
      </div>
      <div className="mt-4 text-lg leading-7">
        <ReplyLine post={post} />
        <PostText post={post} />
      </div>
      <PostImages post={post} place="thread" />
      <Poll post={post} />
      <p className="mt-4 border-b border-line pb-3 text-sm text-muted">
        <time dateTime={post.createdAt}>{formatDateTime(post.createdAt) || "just now"}</time>
      </p>
      <PostActions post={post} />
    </article>
  );
}
