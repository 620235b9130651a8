import { AtSign, Heart, type LucideIcon, MessageCircle, Repeat2, UserPlus } from "lucide-react";
import type { MemberRef, Notification } from "@/api/types";
import { cx } from "@/lib/cx";
import { Avatar } from "@/ui/avatar";

const marks: Record<Notification["type"], { icon: LucideIcon; colour: string }> = {
  follow: { icon: UserPlus, colour: "bg-ember-deep" },
  like: { icon: Heart, colour: "bg-like" },
  reply: { icon: MessageCircle, colour: "bg-ember-deep" },
  repost: { icon: Repeat2, colour: "bg-repost" },
  mention: { icon: AtSign, colour: "bg-ember-deep" },
};

interface Props {
  type: Notification["type"];
  /** Who did it, the latest first. */
  actors: readonly MemberRef[];
}

/** The picture of who did something, or the latest two pictures, with a mark of what was done. */
export function NotificationSign({ type, actors }: Props) {
  const [latest, before] = actors;
  const { icon: Icon, colour } = marks[type];
  if (!latest) return null;
  return (
    <span aria-hidden className="relative size-11 shrink-0">
      {before ? (
        <>
          <Avatar member={before} size="tiny" className="absolute top-0 right-0" />
          <Avatar
            member={latest}
            size="tiny"
            className="absolute bottom-0 left-0 ring-2 ring-paper"
          />
        </>
      ) : (
        <Avatar member={latest} />
      )}
      <span
        className={cx(
          "absolute -right-1.5 -bottom-1 flex size-5.5 items-center justify-center rounded-full text-paper ring-2 ring-paper",
          colour,
        )}
      >
        <Icon size={12} strokeWidth={2.6} {...(type === "like" && { fill: "currentColor" })} />
      </span>
    </span>
  );
}
