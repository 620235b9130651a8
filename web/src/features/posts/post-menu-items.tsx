import { Flag, Link2, ShieldX, Trash2 } from "lucide-react";
import { useMember } from "@/api/session";
import type { Post } from "@/api/types";
import { KeepAwayItems } from "@/ui/keep-away-items";
import { Menu, MenuItem } from "@/ui/menu";
import type { OpenMenu } from "@/ui/use-menu-button";
import { copyLink } from "./share";

interface Props extends OpenMenu {
  post: Post;
  /** Opens a dialog. */
  onAsk: (about: "delete" | "block" | "report" | "remove") => void;
}

/** The rows of a post's menu. */
export default function PostMenuItems({ post, onAsk, ...menu }: Props) {
  const { id, role } = useMember();
  const isMine = id === post.author.id;
  return (
    <Menu menu={menu} align="end">
      <MenuItem onSelect={() => void copyLink(post.id)}>
        <Link2 size={18} aria-hidden />
        Copy link
      </MenuItem>
      {!isMine && (
        <KeepAwayItems
          member={post.author}
          isMuted={post.isMuted}
          isBlocked={false}
          onBlock={() => onAsk("block")}
        />
      )}
      {isMine ? (
        <MenuItem destructive onSelect={() => onAsk("delete")}>
          <Trash2 size={18} aria-hidden />
          Delete
        </MenuItem>
      ) : (
        <MenuItem onSelect={() => onAsk("report")}>
          <Flag size={18} aria-hidden />
          Report
        </MenuItem>
      )}
      {!isMine && role !== "member" && (
        <MenuItem destructive onSelect={() => onAsk("remove")}>
          <ShieldX size={18} aria-hidden />
          Remove post
        </MenuItem>
      )}
    </Menu>
  );
}
