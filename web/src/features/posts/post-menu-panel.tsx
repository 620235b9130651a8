import { Flag, Link2, ShieldX, Trash2 } from "lucide-react";
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
  onRemove: () => void;
}

/** The rows of a post's menu. */
export default function PostMenuPanel(props: Props) {
  const { menu, post, onDelete, onBlock, onMuted, onReport, onRemove } = props;
  const { id, role } = useMember();
  const isMine = id === post.author.id;
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
      {!isMine && role !== "member" && (
        <MenuItem destructive onSelect={onRemove}>
          <ShieldX size={18} aria-hidden />
          Remove post
        </MenuItem>
      )}
    </MenuPanel>
  );
}
