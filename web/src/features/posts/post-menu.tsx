import { Ellipsis } from "lucide-react";
import { useRef, useState } from "react";
import type { Post } from "@/api/types";
import { codeOf } from "@/lib/code";
import { focusMain } from "@/lib/focus-main";
import { BlockDialog } from "@/ui/block-dialog";
import { IconButton } from "@/ui/button";
import { ConfirmDialog } from "@/ui/confirm-dialog";
import { Late } from "@/ui/late";
import { LateReportDialog } from "@/ui/late-report-dialog";
import { useMenuButton } from "@/ui/use-menu-button";
import { useDeletePost } from "./use-delete-post";

interface Props {
  post: Post;
  /** What happens once the post is deleted, besides that it goes out of sight. */
  onDeleted?: () => void;
}

const loadPanel = () => import("./post-menu-panel");
const removalDialog = codeOf(() => import("./removal-dialog"));

/**
 * What else can be done with a post: copy its link, delete one's own, keep its author away, report it,
 * and remove it for those who moderate.
 */
export function PostMenu({ post, onDeleted }: Props) {
  const [asking, setAsking] = useState<"delete" | "block" | "report" | "remove" | null>(null);
  const neighbours = useRef<readonly HTMLElement[]>([]);
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
          onDelete={() => setAsking("delete")}
          onBlock={() => setAsking("block")}
          onReport={() => setAsking("report")}
          onRemove={() => setAsking("remove")}
          onMuted={() => {
            const places = neighboursOf(buttonProps.ref.current);
            afterRedraw(() => goOn(buttonProps.ref.current, ...places));
          }}
        />
      )}
      {asking === "report" && (
        <LateReportDialog
          kind="post"
          id={post.id}
          username={post.author.username}
          onClose={() => setAsking(null)}
        />
      )}
      {asking === "remove" && (
        <Late code={removalDialog} wanted onMissing={() => setAsking(null)}>
          {(code) => (
            <code.default
              post={post}
              onClose={() => setAsking(null)}
              {...(onDeleted && { onRemoved: onDeleted })}
            />
          )}
        </Late>
      )}
      {asking === "delete" && (
        <DeleteDialog
          post={post}
          button={buttonProps.ref}
          onCancel={() => setAsking(null)}
          {...(onDeleted && { onDeleted })}
        />
      )}
      {asking === "block" && (
        <BlockDialog
          member={post.author}
          onCancel={() => setAsking(null)}
          onBlocked={() => {
            neighbours.current = neighboursOf(buttonProps.ref.current);
            // Most often the dialog has gone with its post by then.
            afterRedraw(() => setAsking(null));
          }}
          onGone={() => goOn(buttonProps.ref.current, ...neighbours.current)}
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
  const neighbours = useRef<readonly HTMLElement[]>([]);
  const remove = useDeletePost(post, () => {
    neighbours.current = neighboursOf(button.current);
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
      onGone={() => goOn(button.current, ...neighbours.current)}
    />
  );
}

/** Waits for lists that have just changed: they are drawn anew in a turn of their own, due before. */
function afterRedraw(act: () => void): void {
  setTimeout(act);
}

/** Puts the focus on the first of these that is still in the page. */
function goOn(...places: (HTMLElement | null)[]): void {
  const place = places.find((element) => element?.isConnected);
  if (place) place.focus({ preventScroll: true });
  else focusMain();
}

/** The posts around the one that a button belongs to: those below, then those above, the nearest first. */
function neighboursOf(button: HTMLElement | null): HTMLElement[] {
  const posts = [...document.querySelectorAll<HTMLElement>("main article")];
  const at = posts.findIndex((post) => post.contains(button));
  return at === -1 ? [] : [...posts.slice(at + 1), ...posts.slice(0, at).toReversed()];
}
