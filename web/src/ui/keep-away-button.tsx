import type { KeptAway } from "@/api/keys";
import type { MemberRef } from "@/api/types";
import { focusMain } from "@/lib/focus-main";
import { Button } from "./button";
import { onFirstClick } from "./on-first-click";
import { useKeepAway } from "./use-keep-away";

interface Props {
  list: KeptAway;
  member: MemberRef;
}

/** Takes a mute or a block back. It goes with the place that offers it, and the focus goes on. */
export function KeepAwayButton({ list, member }: Props) {
  const undo = useKeepAway(list, member, focusMain);
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
