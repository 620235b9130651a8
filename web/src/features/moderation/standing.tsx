import type { MemberRecord } from "@/api/types";
import { joinMonth } from "@/lib/time";
import { Avatar } from "@/ui/avatar";
import { MemberName } from "@/ui/member-name";
import { roleNames } from "./roles";

/** Who somebody is and how they stand: role, suspension, invites, who let them in. */
export function Standing({ member }: { member: MemberRecord }) {
  const { username, role, suspendedAt, invitesFrozenAt, invitedBy, createdAt } = member;
  const from = invitedBy ? `, invited by @${invitedBy.username}` : "";
  return (
    <div className="flex items-start gap-3">
      <Avatar member={member} />
      <div className="min-w-0 flex-1 leading-5">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <MemberName member={member} />
          {role !== "member" && <Badge>{roleNames[role]}</Badge>}
          {suspendedAt && <Badge isGrave>Suspended</Badge>}
          {invitesFrozenAt && <Badge isGrave>Invites frozen</Badge>}
        </p>
        <p className="text-sm text-muted [overflow-wrap:anywhere]">
          @{username}, joined {joinMonth(createdAt)}
          {from}
        </p>
      </div>
    </div>
  );
}

function Badge({ children, isGrave = false }: { children: string; isGrave?: boolean }) {
  return (
    <span
      className={
        isGrave
          ? "rounded-full border border-danger px-2 text-[13px] text-danger"
          : "rounded-full bg-wash px-2 text-[13px]"
      }
    >
      {children}
    </span>
  );
}
