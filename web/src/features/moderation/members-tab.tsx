import { useState } from "react";
import { letInQuery, membersQuery } from "@/api/moderation";
import type { MemberRecord } from "@/api/types";
import { useDebounced } from "@/lib/use-debounced";
import { Button } from "@/ui/button";
import { Field } from "@/ui/field";
import { LetIn, MemberRow } from "./member-row";
import { RowList } from "./row-list";

/** Everybody, to be searched, suspended or promoted; or those whom one member let in. */
export function MembersTab() {
  const [typed, setTyped] = useState("");
  const [inviter, setInviter] = useState<MemberRecord | null>(null);
  // Whose button led away from the list.
  const [opener, setOpener] = useState("");
  const show = (one: MemberRecord) => {
    if (!inviter) setOpener(one.id);
    setInviter(one);
  };
  const term = useDebounced(typed, 300).trim();
  if (inviter) {
    return (
      <LetIn value={{ show, last: "" }}>
        <div className="flex flex-wrap items-center justify-between gap-3 px-4 pt-4 sm:px-5">
          <h2 className="text-[15px] font-semibold">Whom @{inviter.username} let in</h2>
          <Button
            key={inviter.id}
            size="small"
            look="outline"
            autoFocus
            onClick={() => setInviter(null)}
          >
            Back to all members
          </Button>
        </div>
        <RowList
          key={inviter.id}
          query={letInQuery(inviter.id)}
          label={`Members whom @${inviter.username} let in`}
          empty="Nobody joined with their invites"
          item={MemberRow}
        />
      </LetIn>
    );
  }
  return (
    <LetIn value={{ show, last: opener }}>
      <div className="px-4 pt-4 sm:px-5">
        <Field
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
      <RowList
        key={term}
        query={membersQuery(term)}
        label="Members"
        empty="Nobody is called that"
        item={MemberRow}
      />
    </LetIn>
  );
}
