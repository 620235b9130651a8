import type { KeptAway } from "@/api/keys";
import { useKeepAway } from "@/api/safety";
import type { MemberRef } from "@/api/types";
import { Button } from "./button";
import { onFirstClick } from "./on-first-click";

interface Props {
  list: KeptAway;
  member: MemberRef;
}

/** Takes a mute or a block back. */
export function KeepAwayButton({ list, member }: Props) {
  const undo = useKeepAway(list, member);
  const word = list === "mutes" ? "Unmute" : "Unblock";
  return (
    // Not disabled meanwhile: a disabled button loses the focus.
    <Button
      look="outline"
      size="small"
      aria-label={`${word} @${member.username}`}
      aria-disabled={undo.isPending}
      onClick={onFirstClick(() => !undo.isPending && undo.mutate(false))}
    >
      {word}
    </Button>
  );
}
