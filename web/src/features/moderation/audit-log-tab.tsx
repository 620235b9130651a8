import type { MessageDescriptor } from "@lingui/core";
import { msg, plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { queryKeys } from "@/api/query-keys";
import { paginatedQuery } from "@/api/paginated-query";
import type { AuditEntry } from "@/api/types";
import { formatDateTime } from "@/lib/time/format-date";
import { roleLabels } from "./moderation-actions";
import { UserHandleLink } from "./user-handle-link";
import { ModerationList } from "./moderation-list";

const auditQuery = paginatedQuery("/api/admin/audit", {
  queryKey: [...queryKeys.moderation, "audit"],
  pageSize: 50,
});

export function AuditLogTab() {
  return (
    <ModerationList
      list={auditQuery}
      label={t`Audit log`}
      empty={t`No actions yet`}
      className="py-3.5 leading-6"
    >
      {(entry) => (
        <>
          <p className="wrap-anywhere">
            {entry.actor ? (
              <UserHandleLink user={entry.actor} />
            ) : (
              <strong className="font-semibold">
                {isExpiry(entry) ? t`The server` : t`The operator`}
              </strong>
            )}{" "}
            <AuditSummary entry={entry} />
          </p>
          {entry.note !== "" && (
            <p className="clip-marks text-body-sm whitespace-pre-wrap text-muted-foreground wrap-anywhere">
              <bdi>{entry.note}</bdi>
            </p>
          )}
          <p className="text-sm text-muted-foreground tabular-nums">
            {entry.id} · <time dateTime={entry.createdAt}>{formatDateTime(entry.createdAt)}</time>
          </p>
        </>
      )}
    </ModerationList>
  );
}

function AuditSummary({ entry }: { entry: AuditEntry }) {
  const { action, member, detail, postId, hasPost } = entry;
  const end = detail && formatDateTime(detail);
  const expired = isExpiry(entry);
  const settings = describeSettings(detail);
  const target = member ? <UserHandleLink user={member} /> : t`a member`;
  const postLink =
    postId && hasPost ? (
      <Link href={`/post/${postId}`} className="font-semibold hover:underline">
        {t`a post`}
      </Link>
    ) : (
      t`a post`
    );
  const post = (
    <Trans>
      {postLink} by {target}
    </Trans>
  );
  const reported = postId ? post : target;
  const loggedOut = detail === "" ? target : t`all members`;
  const role = isRole(detail) ? t(roleLabels[detail]) : detail;
  const admitted = describeAdmitted(detail);
  const summaries: Record<string, ReactNode> = {
    dismiss_reports: <Trans>dismissed the reports of {reported}</Trans>,
    remove_post: <Trans>removed {post}</Trans>,
    restore_post: <Trans>restored {post}</Trans>,
    accept_objection: <Trans>accepted the objection of {target}</Trans>,
    reject_objection: <Trans>rejected the objection of {target}</Trans>,
    suspend: end ? (
      <Trans>
        suspended {target} until {end}
      </Trans>
    ) : (
      <Trans>suspended {target}</Trans>
    ),
    unsuspend: expired ? (
      <Trans>lifted the suspension of {target}, which had ended</Trans>
    ) : (
      <Trans>lifted the suspension of {target}</Trans>
    ),
    freeze_invites: end ? (
      <Trans>
        froze the invites of {target} until {end}
      </Trans>
    ) : (
      <Trans>froze the invites of {target}</Trans>
    ),
    unfreeze_invites: expired ? (
      <Trans>unfroze the invites of {target}, because the freeze had ended</Trans>
    ) : (
      <Trans>unfroze the invites of {target}</Trans>
    ),
    change_role: (
      <Trans>
        gave {target} the role {role}
      </Trans>
    ),
    admit_people: <Trans>admitted {admitted} from the waitlist</Trans>,
    create_invites: <Trans>made invite codes: {detail}</Trans>,
    revoke_invites: <Trans>revoked invite codes: {detail}</Trans>,
    print_sign_in: <Trans>printed a login link for {target}</Trans>,
    change_address: <Trans>changed the email address of {target}</Trans>,
    export_member: <Trans>exported the data of {target} to a file</Trans>,
    delete_member: (
      <Trans>
        asked for the deletion of {target} on {end}
      </Trans>
    ),
    sign_out: <Trans>logged {loggedOut} out everywhere</Trans>,
    remove_people: <Trans>removed from the waitlist: {detail}</Trans>,
    add_people: <Trans>added to the waitlist: {detail}</Trans>,
    mail_announcement: <Trans>emailed the announcement to all members</Trans>,
    change_settings: <Trans>changed the settings of the network: {settings}</Trans>,
  };
  return summaries[action ?? ""] ?? t`did something that this page does not know`;
}

const settingNames: Readonly<Record<string, MessageDescriptor>> = {
  name: msg`Name`,
  description: msg`Description`,
  contact: msg`Contact`,
  accentColor: msg`Accent color`,
  icon: msg`Icon`,
  headline: msg`Headline`,
  tagline: msg`Tagline`,
  defaultLanguage: msg`Default language`,
  rules: msg`Rules`,
  terms: msg`Terms`,
  privacy: msg`Privacy`,
  imprint: msg`Imprint`,
  announcement: msg`Announcement`,
  registration: msg`Who can join`,
  invitesPerMonth: msg`Invites per member and month`,
  inviteDays: msg`Days for which an invite works`,
  newMemberDays: msg`Days for which members are new`,
  newMemberPosts: msg`Posts of a new member a day`,
  newMemberFollows: msg`Follows of a new member a day`,
  pinnedTopics: msg`Pinned topics`,
};

/** The settings by the names that they have in their form. */
function describeSettings(detail: string): string {
  const names = detail.split(", ").map((name) => {
    const label = settingNames[name];
    return label ? t(label) : name;
  });
  return names.join(", ");
}

const isRole = (detail: string): detail is keyof typeof roleLabels =>
  Object.hasOwn(roleLabels, detail);

/** Whether the server lifted a suspension or a freeze because it had reached its end. */
function isExpiry({ action, detail }: AuditEntry): boolean {
  return (action === "unsuspend" || action === "unfreeze_invites") && detail === "expired";
}

/** How many were admitted. An admin admits one entry, which has no page that a link could lead to. */
function describeAdmitted(detail: string): string {
  const count = detail.startsWith("entry ") ? 1 : Number(detail);
  return plural(count, { one: "# person", other: "# people" });
}
