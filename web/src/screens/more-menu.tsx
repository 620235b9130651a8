import { t } from "@lingui/core/macro";
import { Ellipsis } from "lucide-react";
import { useState } from "react";
import type { Post, User } from "@/api/types";
import type { RenderPostMenu } from "@/features/posts/post-card";
import { IconButton } from "@/ui/button";
import { lazyOverlay } from "@/ui/lazy-overlay";
import { useLazyMenu } from "@/ui/use-lazy-menu";
import type { MenuDialog } from "./more-menu-content";

const MoreMenuContent = lazyOverlay(() => import("./more-menu-content"));
const BlockDialog = lazyOverlay(() => import("@/features/safety/block-dialog"));
const DeletePostDialog = lazyOverlay(() => import("@/features/posts/delete-post-dialog"));
const RemovePostDialog = lazyOverlay(() => import("@/features/moderation/remove-post-dialog"));
const ReportDialog = lazyOverlay(() => import("@/features/safety/report-dialog"));

interface Props {
  target: Post | User;
  /** Runs once the post is gone, while it still is in sight. */
  onDeleted?: (() => void) | undefined;
}

/** The menu of a post, for the lists and threads of `features/posts`. */
export const renderPostMenu: RenderPostMenu = (post, onDeleted) => (
  <MoreMenu target={post} onDeleted={onDeleted} />
);

/** Further actions with a post or, on a profile, with its member. */
export function MoreMenu({ target, onDeleted }: Props) {
  const [openDialog, setOpenDialog] = useState<MenuDialog | null>(null);
  const { menu, buttonProps } = useLazyMenu(MoreMenuContent);
  const onClose = () => setOpenDialog(null);
  const post = "author" in target ? target : null;
  const user = "author" in target ? target.author : target;
  return (
    <span className={post ? "relative -my-3 -me-2.5 ms-auto self-center" : "relative"}>
      <IconButton
        {...buttonProps}
        label={post ? t`More` : t`More about this profile`}
        className="text-muted-foreground"
      >
        <Ellipsis size={19} aria-hidden />
      </IconButton>
      {menu && <MoreMenuContent {...menu} target={target} onOpenDialog={setOpenDialog} />}
      {openDialog === "report" && (
        <ReportDialog
          kind={post ? "post" : "member"}
          id={target.id}
          username={user.username}
          onClose={onClose}
        />
      )}
      {openDialog === "block" && <BlockDialog user={user} onClose={onClose} />}
      {post && openDialog === "remove" && (
        <RemovePostDialog post={post} onClose={onClose} onDeleted={onDeleted} />
      )}
      {post && openDialog === "delete" && (
        <DeletePostDialog post={post} onClose={onClose} onDeleted={onDeleted} />
      )}
    </span>
  );
}
