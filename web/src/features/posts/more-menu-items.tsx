import { Ban, Flag, Link2, ShieldX, Trash2, Volume2, VolumeX } from "lucide-react";
import { useMuteBlock } from "@/api/mutes-blocks";
import { useCurrentUser } from "@/api/auth";
import type { Post, User } from "@/api/types";
import { Menu, MenuItem } from "@/ui/menu";
import type { OpenMenu } from "@/ui/use-menu-button";
import { copyLink } from "./share";

export type Question = "delete" | "block" | "report" | "remove";

interface Props extends OpenMenu {
  about: Post | User;
  onAsk: (question: Question) => void;
}

export default function MoreMenuItems({ about, onAsk, ...menu }: Props) {
  const me = useCurrentUser();
  const post = "author" in about ? about : null;
  const member = "author" in about ? about.author : about;
  const { isMuted } = about;
  const isBlocked = "isBlocked" in about && about.isBlocked;
  const mute = useMuteBlock("mutes", member);
  const block = useMuteBlock("blocks", member);
  const name = `@${member.username}`;
  return (
    <Menu menu={menu} align="end">
      {post && (
        <MenuItem icon={Link2} onSelect={() => void copyLink(post.id)}>
          Copy link
        </MenuItem>
      )}
      {member.id === me.id ? (
        <MenuItem icon={Trash2} destructive onSelect={() => onAsk("delete")}>
          Delete
        </MenuItem>
      ) : (
        <>
          <MenuItem icon={isMuted ? Volume2 : VolumeX} onSelect={() => mute.mutate(!isMuted)}>
            {isMuted ? `Unmute ${name}` : `Mute ${name}`}
          </MenuItem>
          <MenuItem
            icon={Ban}
            destructive={!isBlocked}
            onSelect={() => (isBlocked ? block.mutate(false) : onAsk("block"))}
          >
            {isBlocked ? `Unblock ${name}` : `Block ${name}`}
          </MenuItem>
          <MenuItem icon={Flag} onSelect={() => onAsk("report")}>
            Report
          </MenuItem>
          {post && me.role !== "member" && (
            <MenuItem icon={ShieldX} destructive onSelect={() => onAsk("remove")}>
              Remove post
            </MenuItem>
          )}
        </>
      )}
    </Menu>
  );
}
