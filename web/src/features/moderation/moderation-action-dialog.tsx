import { t } from "@lingui/core/macro";
import { useState } from "react";
import { queryKeys } from "@/api/query-keys";
import { markStale } from "@/api/query-client";
import { NoteDialog } from "@/components/note-dialog";
import { DurationField, endAfter } from "./duration-field";

/** Something that a moderator can do, once the dialog has asked. */
export interface ModerationAction {
  /** The question. */
  title: string;
  /** The consequences, and how to undo it. */
  description: string;
  /** The label of the button that does it. */
  action: string;
  /** The title of the toast once it is done. */
  successMessage: string;
  /** Whether a member loses something by it. */
  destructive?: boolean;
  /** Whether it only undoes something, which needs no reason. */
  isUndo?: boolean;
  /** Whether it can end by itself after some days. */
  canEnd?: boolean;
  /** `until` is when it ends by itself; without it, it lasts until it is undone. */
  run: (note: string, until?: string) => Promise<unknown>;
}

/** Removes a member's post, as `run` does it. */
export function createRemovePostAction(
  username: string,
  run: ModerationAction["run"],
): ModerationAction {
  return {
    title: t`Remove this post?`,
    description: t`It disappears for everyone, as if @${username} had deleted it, and cannot be brought back. What others replied stays. The author is not told.`,
    action: t`Remove post`,
    successMessage: t`Post removed`,
    destructive: true,
    run,
  };
}

interface Props {
  action: ModerationAction;
  /** The name by which the note is kept when Back closes the dialog. */
  inputKey: string;
  onClose: () => void;
}

export function ModerationActionDialog({ action, inputKey, onClose }: Props) {
  const { title, description, successMessage, destructive, isUndo, canEnd, run } = action;
  const [days, setDays] = useState("");
  return (
    <NoteDialog
      title={title}
      description={description}
      inputKey={inputKey}
      label={isUndo ? undefined : t`Why? (optional, for the audit log)`}
      button={{ children: action.action, variant: destructive ? "destructive" : "primary" }}
      pending={t`Working...`}
      // A profile says whether its member is suspended.
      send={(note) => run(note, endAfter(days)).finally(() => markStale(queryKeys.users))}
      meta={{
        success: { title: successMessage },
        failure: t`Something went wrong. Please try again.`,
        invalidates: [queryKeys.moderation],
      }}
      onClose={onClose}
    >
      <p aria-hidden className="text-muted-foreground wrap-anywhere">
        {description}
      </p>
      {canEnd && <DurationField value={days} onChange={setDays} />}
    </NoteDialog>
  );
}
