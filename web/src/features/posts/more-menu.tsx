import { Ellipsis } from "lucide-react";
import { useState } from "react";
import type { Post, User } from "@/api/types";
import { IconButton } from "@/ui/button";
import { lazyOverlay } from "@/ui/lazy-overlay";
import { useMenuButton } from "@/ui/use-menu-button";
import type { Question } from "./more-menu-items";

const MoreMenuItems = lazyOverlay(() => import("./more-menu-items"));
const BlockDialog = lazyOverlay(() => import("@/ui/block-dialog"));
const DeleteDialog = lazyOverlay(() => import("./delete-dialog"));
const RemovalDialog = lazyOverlay(() => import("./removal-dialog"));
const ReportDialog = lazyOverlay(() => import("@/ui/report-dialog"));

interface Props {
  about: Post | User;
  /** Runs once the post is gone, while it still is in sight. */
  onDeleted?: () => void;
}

/** Further actions with a post or, on a profile, with its member. */
export function MoreMenu({ about, onDeleted }: Props) {
  const [asking, setAsking] = useState<Question | null>(null);
  const { menu, buttonProps } = useMenuButton(MoreMenuItems);
  const onClose = () => setAsking(null);
  const post = "author" in about ? about : null;
  const member = "author" in about ? about.author : about;
  return (
    <span className={post ? "relative -my-3 -mr-2.5 ml-auto self-center" : "relative"}>
      <IconButton
        {...buttonProps}
        label={post ? "More" : "More about this profile"}
        className="text-muted"
      >
        <Ellipsis size={19} aria-hidden />
      </IconButton>
      {menu && <MoreMenuItems {...menu} about={about} onAsk={setAsking} />}
      {asking === "report" && (
        <ReportDialog
          kind={post ? "post" : "member"}
          id={about.id}
          username={member.username}
          onClose={onClose}
        />
      )}
      {asking === "block" && <BlockDialog member={member} onClose={onClose} />}
      {post && asking === "remove" && (
        <RemovalDialog post={post} onClose={onClose} onDeleted={onDeleted} />
      )}
      {post && asking === "delete" && (
        <DeleteDialog post={post} onClose={onClose} onDeleted={onDeleted} />
      )}
    </span>
  );
}
