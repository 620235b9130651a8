import { useMutation } from "@tanstack/react-query";
import { hasStatus } from "@/api/error";
import { keys } from "@/api/keys";
import { markStale } from "@/api/query-client";
import { dropInput, useKeptInput } from "@/lib/kept-input";
import { NoteDialog } from "./note-dialog";

/** Something that a moderator can do, once the dialog has asked. */
export interface ModerationAction {
  /** The question. */
  title: string;
  /** The consequences, and how to undo it. */
  description: string;
  /** The label of the button that does it. */
  action: string;
  /** The title of the toast once it is done. */
  done: string;
  /** Whether a member loses something by it. */
  isGrave?: boolean;
  /** Whether it only undoes something, which needs no reason. */
  isUndo?: boolean;
  run: (note: string) => Promise<unknown>;
}

/** Removes a member's post, as `run` does it. */
export function removalOf(username: string, run: ModerationAction["run"]): ModerationAction {
  return {
    title: "Remove this post?",
    description: `It disappears for everyone, as if @${username} had deleted it, and cannot be brought back. What others replied stays. The author is not told.`,
    action: "Remove post",
    done: "Post removed",
    isGrave: true,
    run,
  };
}

interface Props {
  action: ModerationAction;
  /** The name by which the note is kept when Back closes the dialog. */
  form: string;
  onClose: () => void;
}

export function ModerationDialog({ action, form, onClose }: Props) {
  const [note, setNote] = useKeptInput(form, "");
  const { isPending, mutate } = useMutation({
    mutationFn: () => action.run(note.trim()),
    meta: {
      success: { title: action.done },
      failure: "Something went wrong. Please try again.",
      invalidates: [keys.moderation],
    },
    onSettled(_, error) {
      // A profile says whether its member is suspended.
      markStale(keys.users);
      // Another moderator was faster: the list shows what they decided.
      if (!error || hasStatus(error, 404, 409)) close();
    },
  });
  function close() {
    dropInput(form);
    onClose();
  }
  return (
    <NoteDialog
      title={action.title}
      description={action.description}
      label={action.isUndo ? undefined : "Why? (optional, for the audit log)"}
      note={note}
      onNote={setNote}
      button={{ children: action.action, look: action.isGrave ? "danger" : "primary" }}
      pending="Working..."
      isPending={isPending}
      isHeld={isPending}
      onSend={mutate}
      onClose={close}
      onBack={onClose}
    >
      <p aria-hidden className="text-muted [overflow-wrap:anywhere]">
        {action.description}
      </p>
    </NoteDialog>
  );
}
