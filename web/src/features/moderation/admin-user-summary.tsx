import { t } from "@lingui/core/macro";
import type { AdminUser } from "@/api/types";
import { UserNameLink } from "@/components/user-name-link";
import { formatDateTime, formatMonthYear } from "@/lib/time/format-date";
import { Avatar } from "@/ui/avatar";
import { roleLabels } from "./moderation-actions";

export function AdminUserSummary({ user }: { user: AdminUser }) {
  const { username, role, suspendedAt, invitesFrozenAt, invitedBy, createdAt } = user;
  const suspendedUntil = user.suspendedUntil && formatDateTime(user.suspendedUntil);
  const frozenUntil = user.invitesFrozenUntil && formatDateTime(user.invitesFrozenUntil);
  const joined = formatMonthYear(createdAt);
  return (
    <div className="flex items-start gap-3">
      <Avatar user={user} />
      <div className="min-w-0 flex-1 leading-5">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <UserNameLink user={user} />
          {role !== "member" && (
            <span className="rounded-full bg-muted px-2 text-caption">{t(roleLabels[role])}</span>
          )}
          {suspendedAt && (
            <span className={badgeClass}>
              {suspendedUntil ? t`Suspended until ${suspendedUntil}` : t`Suspended`}
            </span>
          )}
          {invitesFrozenAt && (
            <span className={badgeClass}>
              {frozenUntil ? t`Invites frozen until ${frozenUntil}` : t`Invites frozen`}
            </span>
          )}
        </p>
        <p className="text-sm text-muted-foreground wrap-anywhere">
          {invitedBy
            ? t`@${username}, joined ${joined}, invited by @${invitedBy.username}`
            : t`@${username}, joined ${joined}`}
        </p>
      </div>
    </div>
  );
}

const badgeClass = "rounded-xl border border-destructive px-2 text-caption text-destructive";
