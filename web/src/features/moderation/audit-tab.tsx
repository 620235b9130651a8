import { auditQuery } from "@/api/moderation";
import type { AuditEntry } from "@/api/types";
import { exactTime } from "@/lib/time";
import { RowList } from "./row-list";

/** What moderators, admins and the operator did; nobody can change it. */
export function AuditTab() {
  return (
    <RowList query={auditQuery} label="Audit log" empty="Nothing was done yet" item={AuditRow} />
  );
}

function AuditRow({ row: entry }: { row: AuditEntry }) {
  const { id, actor, createdAt, note } = entry;
  return (
    <li
      tabIndex={-1}
      data-row
      className="border-b border-line px-4 py-3.5 leading-6 -outline-offset-2 sm:px-5"
    >
      <p className="[overflow-wrap:anywhere]">
        <strong className="font-semibold">{actor ? `@${actor.username}` : "The operator"}</strong>{" "}
        {sentenceOf(entry)}
      </p>
      {note !== "" && (
        <p
          dir="auto"
          className="clip-marks text-[15px] whitespace-pre-wrap text-muted [overflow-wrap:anywhere]"
        >
          {note}
        </p>
      )}
      <p className="text-sm text-muted tabular-nums">
        {id} · <time dateTime={createdAt}>{exactTime(createdAt)}</time>
      </p>
    </li>
  );
}

function sentenceOf({ action, member, detail, postId }: AuditEntry): string {
  const whom = member ? `@${member.username}` : "somebody";
  const post = `post ${postId ?? ""} by ${whom}`;
  switch (action) {
    case "dismiss_reports":
      return `dismissed the reports of ${postId ? post : whom}`;
    case "remove_post":
      return `removed ${post}`;
    case "suspend":
      return `suspended ${whom}`;
    case "unsuspend":
      return `lifted the suspension of ${whom}`;
    case "freeze_invites":
      return `froze the invites of ${whom}`;
    case "unfreeze_invites":
      return `unfroze the invites of ${whom}`;
    case "change_role":
      return `gave ${whom} the role ${detail}`;
    case "admit_people":
      return `admitted ${detail} from the waitlist`;
    case "create_invites":
      return `made invite codes: ${detail}`;
    case "print_sign_in":
      return `printed an address that logs ${whom} in`;
    case "change_address":
      return `gave ${whom} another mail address`;
    case "export_member":
      return `wrote everything of ${whom} to a file`;
    case "delete_member":
      return `asked for the deletion of ${whom}, at ${detail}`;
    case "sign_out":
      return `logged ${detail || whom} out everywhere`;
    case "remove_people":
      return `removed from the waitlist: ${detail}`;
    default:
      return "did something that this page does not know";
  }
}
