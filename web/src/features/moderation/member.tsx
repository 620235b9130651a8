import { useId, useState } from "react";
import { Link } from "wouter";
import type { AdminUser, UserSummary } from "@/api/types";
import { formatMonthYear } from "@/lib/time/format-date";
import { Avatar } from "@/ui/avatar";
import { Button } from "@/ui/button";
import { UserNameLink } from "@/components/user-name-link";
import { type ModerationAction, ModerationActionDialog } from "./moderation-action-dialog";
import { roleNames } from "./actions";

export function MemberHandle({ member: { username } }: { member: UserSummary }) {
  // The name that is left of a member whose account was deleted.
  if (username === "deleted") return "a deleted member";
  return (
    <Link href={`/profile/${username}`} className="font-semibold hover:underline">
      @{username}
    </Link>
  );
}

export function MemberSummary({ member }: { member: AdminUser }) {
  const { username, role, suspendedAt, invitesFrozenAt, invitedBy, createdAt } = member;
  return (
    <div className="flex items-start gap-3">
      <Avatar user={member} />
      <div className="min-w-0 flex-1 leading-5">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <UserNameLink user={member} />
          {role !== "member" && (
            <span className="rounded-full bg-wash px-2 text-[13px]">{roleNames[role]}</span>
          )}
          {suspendedAt && <span className={badge}>Suspended</span>}
          {invitesFrozenAt && <span className={badge}>Invites frozen</span>}
        </p>
        <p className="text-sm text-muted [overflow-wrap:anywhere]">
          @{username}, joined {formatMonthYear(createdAt)}
          {invitedBy && `, invited by @${invitedBy.username}`}
        </p>
      </div>
    </div>
  );
}

const badge = "rounded-full border border-danger px-2 text-[13px] text-danger";

/** Buttons that ask before they do something to a post or a member; `about` names it for screen readers. */
export function ModerationButtons(props: { actions: ModerationAction[]; about: string }) {
  const { actions, about } = props;
  const id = useId();
  // The action as it was asked for: the list behind the dialog may change meanwhile.
  const [asked, setAsked] = useState<ModerationAction | null>(null);
  return (
    <>
      {actions.map((action, index) => (
        <Button
          // oxlint-disable-next-line react/no-array-index-key -- the button that undoes an action keeps its focus
          key={index}
          variant="outline"
          size="small"
          aria-label={`${action.action}: ${about}`}
          onClick={() => setAsked(action)}
        >
          {action.action}
        </Button>
      ))}
      {asked && (
        <ModerationActionDialog
          action={asked}
          form={`${id}:${asked.action}`}
          onClose={() => setAsked(null)}
        />
      )}
    </>
  );
}
