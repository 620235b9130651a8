import { createContext, useContext } from "react";
import { useMember } from "@/api/session";
import type { MemberRecord, Role } from "@/api/types";
import { Button } from "@/ui/button";
import { DeedButton } from "./deed-button";
import { freeze, promotion, suspension } from "./deeds";
import { isAbove } from "./roles";
import { Standing } from "./standing";

/** How whom a member let in is shown in the place of the list, and whose were shown last. */
export const LetIn = createContext<{ show: (inviter: MemberRecord) => void; last: string }>({
  show: () => undefined,
  last: "",
});

/** A member with what can be done to them. Only admins give roles. */
export function MemberRow({ row: member }: { row: MemberRecord }) {
  const me = useMember();
  const letIn = useContext(LetIn);
  const about = `@${member.username}`;
  const isBelow = isAbove(me.role, member.role);
  const others = (["member", "moderator", "admin"] satisfies Role[]).filter(
    (role) => me.role === "admin" && role !== member.role,
  );
  return (
    <li
      tabIndex={-1}
      data-row
      className="space-y-3 border-b border-line px-4 py-4 -outline-offset-2 sm:px-5"
    >
      <Standing member={member} />
      <div className="flex flex-wrap gap-2 sm:pl-14">
        {isBelow && <DeedButton deed={suspension(member)} about={about} />}
        {isBelow && <DeedButton deed={freeze(member)} about={about} />}
        {isBelow &&
          others.map((role) => (
            <DeedButton key={role} deed={promotion(member, role)} about={about} />
          ))}
        <Button
          look="outline"
          size="small"
          aria-label={`Whom they let in: ${about}`}
          autoFocus={letIn.last === member.id}
          onClick={() => letIn.show(member)}
        >
          Whom they let in
        </Button>
      </div>
    </li>
  );
}
