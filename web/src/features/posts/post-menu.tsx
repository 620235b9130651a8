import { Ellipsis } from "lucide-react";
import { useRef, useState } from "react";
import type { Post } from "@/api/types";
import { focusMain } from "@/lib/focus-main";
import { IconButton } from "@/ui/button";
import { ConfirmDialog } from "@/ui/confirm-dialog";
import { LateReportDialog } from "@/ui/late-report-dialog";
import { useMenuButton } from "@/ui/use-menu-button";
import { useDeletePost } from "./use-delete-post";

interface Props {
  post: Post;
  /** What happens once the post is deleted, besides that it goes out of sight. */
  onDeleted?: () => void;
}

const loadPanel = () => import("./post-menu-panel");

/** What else can be done with a post: copy its link, delete one's own, report somebody else's. */
export function PostMenu({ post, onDeleted }: Props) {
  const [asking, setAsking] = useState(false);
  const [reporting, setReporting] = useState(false);
  const { panel, buttonProps } = useMenuButton(loadPanel);
  return (
    <span className="relative -my-3 -mr-2.5 ml-auto self-center">
      <IconButton {...buttonProps} label="More" className="text-muted">
        <Ellipsis size={19} aria-hidden />
      </IconButton>
      {panel && (
        <panel.Panel
          menu={panel.menu}
          post={post}
          onDelete={() => setAsking(true)}
          onReport={() => setReporting(true)}
        />
      )}
      {reporting && (
        <LateReportDialog
          kind="post"
          id={post.id}
          username={post.author.username}
          onClose={() => setReporting(false)}
        />
      )}
      {asking && (
        <DeleteDialog
          post={post}
          button={buttonProps.ref}
          onCancel={() => setAsking(false)}
          {...(onDeleted && { onDeleted })}
        />
      )}
    </span>
  );
}

interface DialogProps extends Props {
  button: { readonly current: HTMLElement | null };
  onCancel: () => void;
}

function DeleteDialog({ post, button, onCancel, onDeleted }: DialogProps) {
  const next = useRef<HTMLElement | null>(null);
  const remove = useDeletePost(post, () => {
    next.current = neighbourOf(button.current);
    onDeleted?.();
  });
  const noun = post.replyToId ? "reply" : "post";
  return (
    <ConfirmDialog
      title={`Delete this ${noun}?`}
      description="It disappears for everyone, with its likes and reposts. What others replied stays."
      action="Delete"
      pendingAction="Deleting..."
      pending={remove.isPending}
      onConfirm={() => remove.mutate()}
      onCancel={onCancel}
      onGone={() => {
        const place = [button.current, next.current].find((element) => element?.isConnected);
        if (place) place.focus({ preventScroll: true });
        else focusMain();
      }}
    />
  );
}

/** The post below the one that a button belongs to, or the one above where it is the last. */
function neighbourOf(button: HTMLElement | null): HTMLElement | null {
  const posts = [...document.querySelectorAll<HTMLElement>("main article")];
  const at = posts.findIndex((post) => post.contains(button));
  return at === -1 ? null : (posts[at + 1] ?? posts[at - 1] ?? null);
}
