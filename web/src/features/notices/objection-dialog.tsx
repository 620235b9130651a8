import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import type { QueryKey } from "@tanstack/react-query";
import { NoteDialog } from "@/components/note-dialog";

export interface ObjectionTarget {
  /** Sends the objection. */
  send: (text: string) => Promise<unknown>;
  /** The query that shows the notice, which is fetched again. */
  queryKey: QueryKey;
  noticeId: string;
}

/** Asks why a decision of the moderators is wrong. */
export default function ObjectionDialog(props: ObjectionTarget & { onClose: () => void }) {
  const { send, queryKey, noticeId, onClose } = props;
  return (
    <NoteDialog
      title={t`Object to this decision`}
      inputKey={`objection:${noticeId}`}
      label={t`Why is the decision wrong?`}
      noteName="text"
      isNoteRequired
      button={{ children: t`Send objection` }}
      pending={t`Sending...`}
      send={({ note }) => send(note)}
      meta={{
        success: {
          title: t`Objection sent`,
          description: t`Another moderator will look at it.`,
        },
        failure: t`Failed to send the objection. Please try again.`,
        invalidates: [queryKey],
      }}
      onClose={onClose}
    >
      <p className="text-muted-foreground">
        <Trans>
          You can object once. If possible, a moderator who wasn't part of the decision looks at it.
        </Trans>
      </p>
    </NoteDialog>
  );
}
