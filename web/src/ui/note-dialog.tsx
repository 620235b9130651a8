import type { ComponentProps, FormEvent, ReactNode } from "react";
import { MAX_NOTE_LENGTH, noteLength } from "@/lib/report-reasons";
import { Button } from "./button";
import Dialog from "./dialog";
import { AreaField } from "./field";

interface Props extends Pick<ComponentProps<typeof Dialog>, "title" | "description" | "onBack"> {
  /** The label of the note; without it, no note is asked for. */
  label?: string | undefined;
  note: string;
  onNote: (note: string) => void;
  button: ComponentProps<typeof Button>;
  /** The button's label while it is sent. */
  pending: string;
  isPending: boolean;
  /** Whether it stays open until it is known what became of it. */
  isHeld?: boolean;
  onSend: () => void;
  onClose: () => void;
  /** Shown above the note. */
  children: ReactNode;
}

/** A dialog that sends a note to moderators, or one of theirs. */
export function NoteDialog(props: Props) {
  const { title, description, label, note, onNote, button, children } = props;
  const { pending, isPending, isHeld = false, onSend, onClose, onBack = onClose } = props;
  const length = noteLength(note);
  const disabled = button.disabled || length > MAX_NOTE_LENGTH;

  function submit(event: FormEvent) {
    event.preventDefault();
    // A dialog inside of a form's dialog: React hands its events on to that form.
    event.stopPropagation();
    if (!disabled && !isPending) onSend();
  }

  return (
    <Dialog
      onClose={() => !isHeld && onClose()}
      onBack={() => !isHeld && onBack()}
      title={title}
      {...(description !== undefined && { description })}
    >
      <form onSubmit={submit} className="space-y-5 px-6 pt-2 pb-6">
        {children}
        {label !== undefined && (
          <AreaField
            label={label}
            length={length}
            max={MAX_NOTE_LENGTH}
            value={note}
            onChange={(event) => onNote(event.target.value)}
            rows={2}
            dir="auto"
            className="min-h-20"
          />
        )}
        <div className="flex justify-end gap-3">
          <Button look="outline" aria-disabled={isHeld} onClick={onClose}>
            Cancel
          </Button>
          {/* Not disabled while it is sent: a disabled button loses the focus, and Escape its dialog. */}
          <Button
            {...button}
            type="submit"
            disabled={disabled}
            aria-disabled={isPending}
            className="min-w-26"
          >
            {isPending ? pending : button.children}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
