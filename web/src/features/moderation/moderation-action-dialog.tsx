import { t } from "@lingui/core/macro";
import { useState } from "react";
import { queryKeys } from "@/api/query-keys";
import { markStale } from "@/api/query-client";
import { NoteDialog, type NoteInput } from "@/components/note-dialog";
import { DurationField, endAfter } from "./duration-field";
import { NoticeFields } from "./notice-fields";

/** What a moderator typed and chose; what is empty is absent, except the note. */
export interface ModerationInput {
  note: string;
  /** When it ends by itself; without it, it lasts until it is undone. */
  until?: string;
  rule?: string;
  message?: string;
}

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
  /** The member who gets a notice of it, by username. */
  notifies?: string;
  /** The member whose objection it answers, by username: the note is the answer. */
  answers?: string;
  run: (input: ModerationInput) => Promise<unknown>;
}

/** Removes a member's post, as `run` does it. */
export function createRemovePostAction(
  username: string,
  run: ModerationAction["run"],
): ModerationAction {
  return {
    title: t`Remove this post?`,
    description: t`It disappears for everyone, as if @${username} had deleted it. What others replied stays. @${username} gets a notice and can object, and you can restore the post for 30 days.`,
    action: t`Remove post`,
    successMessage: t`Post removed`,
    destructive: true,
    notifies: username,
    run,
  };
}

interface Props {
  action: ModerationAction;
  /** The name by which what is typed is kept when Back closes the dialog. */
  inputKey: string;
  onClose: () => void;
}

export function ModerationActionDialog({ action, inputKey, onClose }: Props) {
  const { title, description, successMessage, destructive, isUndo, canEnd, notifies, run } = action;
  const { answers } = action;
  const [days, setDays] = useState("");
  return (
    <NoteDialog
      title={title}
      description={description}
      inputKey={inputKey}
      {...getNoteTexts(isUndo, answers)}
      button={{ children: action.action, variant: destructive ? "destructive" : "primary" }}
      pending={t`Working...`}
      // Profiles show whether their member is suspended.
      send={(input) => run(toInput(input, days)).finally(() => markStale(queryKeys.users))}
      meta={{
        success: { title: successMessage },
        failure: t`Something went wrong. Please try again.`,
        invalidates: [queryKeys.moderation],
      }}
      renderFields={notifies ? (form) => <NoticeFields username={notifies} {...form} /> : undefined}
      onClose={onClose}
    >
      <p aria-hidden className="text-muted-foreground wrap-anywhere">
        {description}
      </p>
      {canEnd && <DurationField value={days} onChange={setDays} />}
    </NoteDialog>
  );
}

function getNoteTexts(isUndo: boolean | undefined, answers: string | undefined) {
  if (isUndo) return { label: undefined };
  if (answers === undefined) return { label: t`Why? (optional, for the audit log)` };
  return {
    label: t`Answer to @${answers} (optional)`,
    hint: t`We email it to them.`,
    noteName: "answer",
  };
}

function toInput({ note, rule, message }: NoteInput, days: string): ModerationInput {
  const until = endAfter(days);
  return { note, ...(until && { until }), ...(rule && { rule }), ...(message && { message }) };
}
