import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useState } from "react";
import { queryKeys } from "@/api/query-keys";
import { paginatedQuery } from "@/api/paginated-query";
import { useCurrentUser } from "@/api/auth";
import type { AdminUser } from "@/api/types";
import { useDebouncedValue } from "@/lib/hooks/use-debounced-value";
import { Button } from "@/ui/button";
import { TextField } from "@/ui/text-field";
import {
  createFreezeInvitesAction,
  outranks,
  createChangeRoleAction,
  roles,
  createSuspendAction,
} from "./moderation-actions";
import { AdminUserSummary } from "./admin-user-summary";
import { ModerationActionButtons } from "./moderation-action-buttons";
import { ModerationList } from "./moderation-list";

/** The members that a term finds, or those invited by a member. */
const membersQuery = (filter: { query: string } | { invitedBy: string }) =>
  paginatedQuery("/api/admin/members", {
    queryKey: [...queryKeys.moderation, "members", filter],
    pageSize: 20,
    query: filter,
  });

export function UsersTab() {
  const [searchText, setSearchText] = useState("");
  const [inviter, setInviter] = useState<AdminUser | null>(null);
  // The member whose button led away from the list.
  const [inviterId, setInviterId] = useState("");
  const showInvitees = (user: AdminUser) => {
    if (!inviter) setInviterId(user.id);
    setInviter(user);
  };
  const term = useDebouncedValue(searchText, 300).trim();
  return (
    <>
      {inviter ? (
        <div className="flex flex-wrap items-center justify-between gap-3 px-4 pt-4 sm:px-5">
          <h2 className="text-body-sm font-semibold">
            <Trans>Invited by @{inviter.username}</Trans>
          </h2>
          <Button
            key={inviter.id}
            size="small"
            variant="outline"
            autoFocus
            onClick={() => setInviter(null)}
          >
            <Trans>Back to all members</Trans>
          </Button>
        </div>
      ) : (
        <div className="px-4 pt-4 sm:px-5">
          <TextField
            label={t`Find a member`}
            type="search"
            value={searchText}
            onChange={(event) => {
              setInviterId("");
              setSearchText(event.target.value);
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
        label={inviter ? t`Members invited by @${inviter.username}` : t`Members`}
        empty={inviter ? t`No one has joined with their invites` : t`No members match`}
        className="space-y-3 py-4"
      >
        {(user) => (
          <AdminUserRow
            user={user}
            onShowInvitees={showInvitees}
            autoFocus={!inviter && user.id === inviterId}
          />
        )}
      </ModerationList>
    </>
  );
}

interface RowProps {
  user: AdminUser;
  onShowInvitees: (inviter: AdminUser) => void;
  autoFocus: boolean;
}

/** A member with what can be done to them. Only admins give roles. */
function AdminUserRow({ user, onShowInvitees, autoFocus }: RowProps) {
  const currentUser = useCurrentUser();
  const about = `@${user.username}`;
  const others = roles.filter((role) => currentUser.role === "admin" && role !== user.role);
  const actions = outranks(currentUser.role, user.role)
    ? [
        createSuspendAction(user),
        createFreezeInvitesAction(user),
        ...others.map((role) => createChangeRoleAction(user, role)),
      ]
    : [];
  return (
    <>
      <AdminUserSummary user={user} />
      <div className="flex flex-wrap gap-2 sm:ps-14">
        <ModerationActionButtons actions={actions} about={about} />
        <Button
          variant="outline"
          size="small"
          aria-label={t`Invited members: ${about}`}
          autoFocus={autoFocus}
          onClick={() => onShowInvitees(user)}
        >
          <Trans>Invited members</Trans>
        </Button>
      </div>
    </>
  );
}
