import type { ReactNode } from "react";
import { Link } from "wouter";
import { queryKeys } from "@/api/query-keys";
import { paginatedQuery } from "@/api/paginated-query";
import type { AuditEntry } from "@/api/types";
import { formatDateTime } from "@/lib/time/format-date";
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
      label="Audit log"
      empty="No actions yet"
      className="py-3.5 leading-6"
    >
      {(entry) => (
        <>
          <p className="wrap-anywhere">
            {entry.actor ? (
              <UserHandleLink user={entry.actor} />
            ) : (
              <strong className="font-semibold">The operator</strong>
            )}{" "}
            <AuditSummary entry={entry} />
          </p>
          {entry.note !== "" && (
            <p
              dir="auto"
              className="clip-marks text-body-sm whitespace-pre-wrap text-muted-foreground wrap-anywhere"
            >
              {entry.note}
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

function AuditSummary({
  entry: { action, member, detail, postId, hasPost },
}: {
  entry: AuditEntry;
}) {
  const target = member ? <UserHandleLink user={member} /> : "a member";
  const post = (
    <>
      {postId && hasPost ? (
        <Link href={`/post/${postId}`} className="font-semibold hover:underline">
          a post
        </Link>
      ) : (
        "a post"
      )}{" "}
      by {target}
    </>
  );
  const summaries: Record<string, ReactNode> = {
    dismiss_reports: <>dismissed the reports of {postId ? post : target}</>,
    remove_post: <>removed {post}</>,
    suspend: <>suspended {target}</>,
    unsuspend: <>lifted the suspension of {target}</>,
    freeze_invites: <>froze the invites of {target}</>,
    unfreeze_invites: <>unfroze the invites of {target}</>,
    change_role: (
      <>
        gave {target} the role {detail}
      </>
    ),
    admit_people: <>admitted {describeAdmitted(detail)} from the waitlist</>,
    create_invites: <>made invite codes: {detail}</>,
    print_sign_in: <>printed a login link for {target}</>,
    change_address: <>changed the email address of {target}</>,
    export_member: <>exported the data of {target} to a file</>,
    delete_member: (
      <>
        asked for the deletion of {target}, at {detail}
      </>
    ),
    sign_out: <>logged {detail || target} out everywhere</>,
    remove_people: <>removed from the waitlist: {detail}</>,
  };
  return summaries[action ?? ""] ?? "did something that this page does not know";
}

/** How many were admitted. An admin admits one entry, which has no page that a link could lead to. */
function describeAdmitted(detail: string): string {
  const count = detail.startsWith("entry ") ? 1 : Number(detail);
  return count === 1 ? "1 person" : `${count} people`;
}
