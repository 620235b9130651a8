import { useState } from "react";
import { api } from "@/api/client";
import { queryKeys } from "@/api/query-keys";
import { paginatedQueryOptions } from "@/api/paginated-query";
import { useCurrentUser } from "@/api/auth";
import type { AdminUser } from "@/api/types";
import { useDebouncedValue } from "@/lib/hooks/use-debounced-value";
import { Button } from "@/ui/button";
import { TextField } from "@/ui/text-field";
import { freeze, isAbove, promotion, roles, suspension } from "./actions";
import { MemberSummary, ModerationButtons } from "./member";
import { ModerationList } from "./moderation-list";

/** The members that a term finds, or those invited by a member. */
const membersQuery = (filter: { query: string } | { invitedBy: string }) =>
  paginatedQueryOptions([...queryKeys.moderation, "members", filter], 20, (query) =>
    api.GET("/api/admin/members", { params: { query: { ...filter, ...query } } }),
  );

export function MembersTab() {
  const [typed, setTyped] = useState("");
  const [inviter, setInviter] = useState<AdminUser | null>(null);
  // The member whose button led away from the list.
  const [opener, setOpener] = useState("");
  const show = (member: AdminUser) => {
    if (!inviter) setOpener(member.id);
    setInviter(member);
  };
  const term = useDebouncedValue(typed, 300).trim();
  return (
    <>
      {inviter ? (
        <div className="flex flex-wrap items-center justify-between gap-3 px-4 pt-4 sm:px-5">
          <h2 className="text-[15px] font-semibold">Invited by @{inviter.username}</h2>
          <Button
            key={inviter.id}
            size="small"
            variant="outline"
            autoFocus
            onClick={() => setInviter(null)}
          >
            Back to all members
          </Button>
        </div>
      ) : (
        <div className="px-4 pt-4 sm:px-5">
          <TextField
            label="Find a member"
            type="search"
            value={typed}
            onChange={(event) => {
              setOpener("");
              setTyped(event.target.value);
            }}
            maxLength={100}
            dir="auto"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
        </div>
      )}
      <ModerationList
        key={inviter ? `by ${inviter.id}` : term}
        list={membersQuery(inviter ? { invitedBy: inviter.id } : { query: term })}
        label={inviter ? `Members invited by @${inviter.username}` : "Members"}
        empty={inviter ? "No one has joined with their invites" : "No members match"}
        className="space-y-3 py-4"
      >
        {(member) => (
          <MemberRow
            member={member}
            onShowInvited={show}
            autoFocus={!inviter && member.id === opener}
          />
        )}
      </ModerationList>
    </>
  );
}

interface RowProps {
  member: AdminUser;
  onShowInvited: (inviter: AdminUser) => void;
  autoFocus: boolean;
}

/** A member with what can be done to them. Only admins give roles. */
function MemberRow({ member, onShowInvited, autoFocus }: RowProps) {
  const me = useCurrentUser();
  const about = `@${member.username}`;
  const others = roles.filter((role) => me.role === "admin" && role !== member.role);
  const actions = isAbove(me.role, member.role)
    ? [suspension(member), freeze(member), ...others.map((role) => promotion(member, role))]
    : [];
  return (
    <>
      <MemberSummary member={member} />
      <div className="flex flex-wrap gap-2 sm:pl-14">
        <ModerationButtons actions={actions} about={about} />
        <Button
          variant="outline"
          size="small"
          aria-label={`Invited members: ${about}`}
          autoFocus={autoFocus}
          onClick={() => onShowInvited(member)}
        >
          Invited members
        </Button>
      </div>
    </>
  );
}
