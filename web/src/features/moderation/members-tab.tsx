import { useState } from "react";
import { membersQuery } from "@/api/moderation";
import { useMember } from "@/api/session";
import type { MemberRecord, Role } from "@/api/types";
import { useDebounced } from "@/lib/use-debounced";
import { Field } from "@/ui/field";
import { DeedButton } from "./deed-button";
import { freeze, promotion, suspension } from "./deeds";
import { isAbove } from "./roles";
import { RowList } from "./row-list";
import { Standing } from "./standing";

/** Everybody, to be searched, suspended or promoted. */
export function MembersTab() {
  const [typed, setTyped] = useState("");
  const term = useDebounced(typed, 300).trim();
  return (
    <>
      <div className="px-4 pt-4 sm:px-5">
        <Field
          label="Find a member"
          type="search"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          maxLength={100}
          dir="auto"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
      </div>
      <RowList
        key={term}
        query={membersQuery(term)}
        label="Members"
        empty="Nobody is called that"
        item={MemberRow}
      />
    </>
  );
}

function MemberRow({ row: member }: { row: MemberRecord }) {
  const me = useMember();
  const about = `@${member.username}`;
  const others = (["member", "moderator", "admin"] satisfies Role[]).filter(
    (role) => role !== member.role,
  );
  return (
    <li
      tabIndex={-1}
      data-row
      className="space-y-3 border-b border-line px-4 py-4 -outline-offset-2 sm:px-5"
    >
      <Standing member={member} />
      {isAbove(me.role, member.role) && (
        <div className="flex flex-wrap gap-2 sm:pl-14">
          <DeedButton deed={suspension(member)} about={about} />
          <DeedButton deed={freeze(member)} about={about} />
          {others.map((role) => (
            <DeedButton key={role} deed={promotion(member, role)} about={about} />
          ))}
        </div>
      )}
    </li>
  );
}
