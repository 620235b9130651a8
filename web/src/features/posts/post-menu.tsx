import { Ellipsis, Link2, Trash2 } from "lucide-react";
import { useRef, useState } from "react";
import { useMember } from "@/api/session";
import type { Post } from "@/api/types";
import { focusMain } from "@/lib/focus-main";
import { IconButton } from "@/ui/button";
import { ConfirmDialog } from "@/ui/confirm-dialog";
import { Menu, MenuItem } from "@/ui/menu";
import { copyLink } from "./share";
import { useDeletePost } from "./use-delete-post";

interface Props {
  post: Post;
  /** What happens once the post is deleted, besides that it goes out of sight. */
  onDeleted?: () => void;
}

/** What else can be done with a post: copy its link, and delete one's own. */
export function PostMenu({ post, onDeleted }: Props) {
  const [asking, setAsking] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  return (
    <>
      <Menu
        align="end"
        leavesFocus={asking}
        trigger={
          <IconButton
            ref={button}
            label="More"
            data-action="more"
            className="-my-3 -mr-2.5 ml-auto self-center text-muted"
          >
            <Ellipsis size={19} aria-hidden />
          </IconButton>
        }
      >
        <MenuItem onSelect={() => void copyLink(post.id)}>
          <Link2 size={18} aria-hidden />
          Copy link
        </MenuItem>
        <DeleteItem authorId={post.author.id} onSelect={() => setAsking(true)} />
      </Menu>
      {asking && (
        <DeleteDialog
          post={post}
          button={button}
          onCancel={() => setAsking(false)}
          {...(onDeleted && { onDeleted })}
        />
      )}
    </>
  );
}

/** Rendered only while the menu is open, so that a long list does not ask who each reader is. */
function DeleteItem({ authorId, onSelect }: { authorId: string; onSelect: () => void }) {
  if (useMember().id !== authorId) return null;
  return (
    <MenuItem destructive onSelect={onSelect}>
      <Trash2 size={18} aria-hidden />
      Delete
    </MenuItem>
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
