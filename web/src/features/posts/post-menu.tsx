import { Ellipsis } from "lucide-react";
import { useState } from "react";
import type { Post } from "@/api/types";
import { IconButton } from "@/ui/button";
import { lazyOverlay } from "@/ui/lazy-overlay";
import { useMenuButton } from "@/ui/use-menu-button";

interface Props {
  post: Post;
  /** What happens once the post is deleted, besides that it goes out of sight. */
  onDeleted?: () => void;
}

const PostMenuItems = lazyOverlay(() => import("./post-menu-items"));
const BlockDialog = lazyOverlay(() => import("@/ui/block-dialog"));
const DeleteDialog = lazyOverlay(() => import("./delete-dialog"));
const RemovalDialog = lazyOverlay(() => import("./removal-dialog"));
const ReportDialog = lazyOverlay(() => import("@/ui/report-dialog"));

/**
 * What else can be done with a post: copy its link, delete one's own, keep its author away, report it,
 * and remove it for those who moderate.
 */
export function PostMenu({ post, onDeleted }: Props) {
  const [asking, setAsking] = useState<"delete" | "block" | "report" | "remove" | null>(null);
  const { menu, buttonProps } = useMenuButton(PostMenuItems);
  const onClose = () => setAsking(null);
  return (
    <span className="relative -my-3 -mr-2.5 ml-auto self-center">
      <IconButton {...buttonProps} label="More" className="text-muted">
        <Ellipsis size={19} aria-hidden />
      </IconButton>
      {menu && <PostMenuItems {...menu} post={post} onAsk={setAsking} />}
      {asking === "report" && (
        <ReportDialog kind="post" id={post.id} username={post.author.username} onClose={onClose} />
      )}
      {asking === "remove" && <RemovalDialog post={post} onClose={onClose} onRemoved={onDeleted} />}
      {asking === "delete" && <DeleteDialog post={post} onClose={onClose} onDeleted={onDeleted} />}
      {asking === "block" && <BlockDialog member={post.author} onClose={onClose} />}
    </span>
  );
}
