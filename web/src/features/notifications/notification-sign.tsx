import { AtSign, Heart, type LucideIcon, MessageCircle, Repeat2, UserPlus } from "lucide-react";
import type { MemberRef, Notification } from "@/api/types";
import { cx } from "@/lib/cx";
import { Avatar } from "@/ui/avatar";

const marks: Record<Notification["type"], { icon: LucideIcon; ground: string; text: string }> = {
  follow: { icon: UserPlus, ground: "bg-ember-deep", text: "text-ember-deep" },
  like: { icon: Heart, ground: "bg-like", text: "text-like" },
  reply: { icon: MessageCircle, ground: "bg-ember-deep", text: "text-ember-deep" },
  repost: { icon: Repeat2, ground: "bg-repost", text: "text-repost" },
  mention: { icon: AtSign, ground: "bg-ember-deep", text: "text-ember-deep" },
};

/** Pictures that stand side by side at most. */
const PICTURES = 6;

interface Props {
  type: Notification["type"];
  /** Who did it, the latest first. */
  actors: readonly MemberRef[];
}

/** What was done: a mark on the picture of who did it, or by itself where several did. */
export function NotificationSign({ type, actors }: Props) {
  const [actor, ...others] = actors;
  const { icon: Icon, ground, text } = marks[type];
  const fill = type === "like" && { fill: "currentColor" };
  if (!actor || others.length > 0) {
    return (
      <span aria-hidden className={cx("flex w-11 shrink-0 justify-center pt-1.5", text)}>
        <Icon size={24} strokeWidth={2.2} {...fill} />
      </span>
    );
  }
  return (
    <span aria-hidden className="relative h-fit">
      <Avatar member={actor} />
      <span
        className={cx(
          "absolute -right-1.5 -bottom-1 flex size-5.5 items-center justify-center rounded-full text-paper ring-2 ring-paper",
          ground,
        )}
      >
        <Icon size={12} strokeWidth={2.6} {...fill} />
      </span>
    </span>
  );
}

/** The pictures of several who did the same, the latest first; nothing where there is one. */
export function ActorStack({ actors }: Pick<Props, "actors">) {
  if (actors.length < 2) return null;
  return (
    <span aria-hidden className="mb-1.5 flex -space-x-1.5">
      {actors.slice(0, PICTURES).map((actor) => (
        <Avatar key={actor.id} member={actor} size="small" className="ring-2 ring-paper" />
      ))}
    </span>
  );
}
