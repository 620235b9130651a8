import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { api } from "@/api/client";
import type { ReportReason } from "@/api/types";
import { getReportReasons } from "@/components/report-reasons";
import { NoteDialog } from "@/components/note-dialog";

interface Props {
  kind: "post" | "member";
  id: string;
  /** The username of the post's author, or of the member. */
  username: string;
  onClose: () => void;
}

/** The dialog for reporting a post or a member; open while it is rendered. */
export default function ReportDialog({ kind, id, username, onClose }: Props) {
  const target = kind === "post" ? { postId: id } : { userId: id };
  return (
    <NoteDialog
      title={kind === "post" ? t`Report this post` : t`Report @${username}`}
      inputKey={`report:${kind}:${id}`}
      choices={getReportReasons()}
      label={t`More about it (optional)`}
      button={{ children: t`Send report` }}
      pending={t`Sending...`}
      send={({ note, choice }) => {
        const reason = choice as ReportReason;
        return api.POST("/api/reports", { body: { ...target, reason, note } });
      }}
      meta={{
        success: { title: t`Report sent`, description: t`Thank you. A moderator will look at it.` },
        failure: t`Failed to send the report. Please try again.`,
      }}
      onClose={onClose}
    >
      <p className="pt-1 text-body-sm text-muted-foreground">
        <Trans>Moderators see the report, and @{username} never learns who sent it.</Trans>
      </p>
    </NoteDialog>
  );
}
