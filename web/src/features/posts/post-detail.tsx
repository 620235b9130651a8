import { t } from "@lingui/core/macro";
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
import { PostMedia } from "./post-media";
import { ReplyContextLine } from "./post-context-lines";
import { RichText } from "./rich-text";
import { ThreadLine, Tombstone } from "./thread-line";

interface Props {
  id: string;
  hasAncestors: boolean;
  renderMenu: RenderPostMenu;
}

/** The post that a thread is about, at full size; `isTied` where the answered post is above it. */
export function PostDetail({ id, hasAncestors, renderMenu }: Props) {
  const post = useOriginalPost(id);
  const [, navigate] = useLocation();
  if (!post) return null;
  if (post.isDeleted) return <Tombstone />;
  const { author } = post;
  /** Leads back to the page before, or to Home where that is not of this app. */
  const leaveThread = () =>
    getReferrerPath() === null ? navigate("/", { replace: true }) : goBack();
  return (
    <article
      tabIndex={-1}
      className="relative border-b border-border px-4 pt-5 pb-2 -outline-offset-2 sm:px-5"
    >
      {hasAncestors && <ThreadLine from="edge" to="avatar" />}
      <div className="flex items-center gap-3">
        <Link
          href={`/profile/${author.username}`}
          tabIndex={-1}
          aria-hidden
          className="relative rounded-full bg-background"
        >
          <Avatar user={author} />
        </Link>
        <div className="flex min-w-0 flex-col leading-5">
          <UserNameLink user={author} />
          <bdi className="truncate text-sm text-muted-foreground">@{author.username}</bdi>
        </div>
        {renderMenu(post, leaveThread)}
      </div>
      <div className="mt-4 text-lg leading-7">
        <ReplyContextLine post={post} />
        <RichText post={post} />
      </div>
      <PostMedia post={post} variant="thread" />
      <Poll post={post} />
      <p className="mt-4 border-b border-border pb-3 text-sm text-muted-foreground">
        <time dateTime={post.createdAt}>{formatDateTime(post.createdAt) || t`just now`}</time>
      </p>
      <PostActions post={post} />
    </article>
  );
}
