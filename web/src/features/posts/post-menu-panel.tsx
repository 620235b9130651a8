import { Flag, Link2, Trash2 } from "lucide-react";
import { useMember } from "@/api/session";
import type { Post } from "@/api/types";
import { KeepAwayItems } from "@/ui/keep-away-items";
import { MenuItem, MenuPanel } from "@/ui/menu";
import type { OpenMenu } from "@/ui/use-menu-button";
import { copyLink } from "./share";

interface Props {
  menu: OpenMenu;
  post: Post;
  onDelete: () => void;
  onBlock: () => void;
  /** Runs once the author is muted or no longer, before what is drawn follows. */
  onMuted: () => void;
  onReport: () => void;
}

/** The rows of a post's menu. */
export default function PostMenuPanel({ menu, post, onDelete, onBlock, onMuted, onReport }: Props) {
  const isMine = useMember().id === post.author.id;
  return (
    <MenuPanel menu={menu} align="end">
      <MenuItem onSelect={() => void copyLink(post.id)}>
        <Link2 size={18} aria-hidden />
        Copy link
      </MenuItem>
      {!isMine && (
        <KeepAwayItems
          member={post.author}
          isMuted={post.isMuted}
          isBlocked={false}
          onBlock={onBlock}
          onMuted={onMuted}
        />
      )}
      {isMine ? (
        <MenuItem destructive onSelect={onDelete}>
          <Trash2 size={18} aria-hidden />
          Delete
        </MenuItem>
      ) : (
        <MenuItem onSelect={onReport}>
          <Flag size={18} aria-hidden />
          Report
        </MenuItem>
      )}
    </MenuPanel>
  );
}
