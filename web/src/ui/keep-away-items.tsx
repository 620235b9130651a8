import { Ban, Volume2, VolumeX } from "lucide-react";
import type { MemberRef } from "@/api/types";
import { MenuItem } from "./menu";
import { useKeepAway } from "./use-keep-away";

interface Props {
  member: MemberRef;
  isMuted: boolean;
  isBlocked: boolean;
  /** Asks whether to block. */
  onBlock: () => void;
}

/** The rows of a menu that mute and block a member, or take that back. */
export function KeepAwayItems({ member, isMuted, isBlocked, onBlock }: Props) {
  const mute = useKeepAway("mutes", member);
  const block = useKeepAway("blocks", member);
  const name = `@${member.username}`;
  return (
    <>
      <MenuItem onSelect={() => mute.mutate(!isMuted)}>
        {isMuted ? <Volume2 size={18} aria-hidden /> : <VolumeX size={18} aria-hidden />}
        {isMuted ? `Unmute ${name}` : `Mute ${name}`}
      </MenuItem>
      <MenuItem
        destructive={!isBlocked}
        onSelect={() => {
          if (isBlocked) block.mutate(false);
          else onBlock();
        }}
      >
        <Ban size={18} aria-hidden />
        {isBlocked ? `Unblock ${name}` : `Block ${name}`}
      </MenuItem>
    </>
  );
}
