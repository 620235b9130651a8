import { Flame, type LucideIcon, PenLine, Sprout, UserRoundCheck, UsersRound } from "lucide-react";
import type { Reason } from "@/api/types";

const signs: Readonly<Record<string, LucideIcon>> = {
  own: PenLine,
  following: UserRoundCheck,
  followed_by: UsersRound,
  follows_you: UsersRound,
  popular: Flame,
  new: Sprout,
};

/** Why a post is shown to somebody who did not ask for it. */
export function ReasonLine({ reason }: { reason: Reason }) {
  const Sign = signs[reason.code] ?? Sprout;
  return (
    <p className="mb-1 flex items-center gap-2 pl-8 text-sm text-muted">
      <Sign size={16} strokeWidth={1.8} aria-hidden className="shrink-0" />
      <span className="min-w-0 truncate">{reason.message}</span>
    </p>
  );
}
