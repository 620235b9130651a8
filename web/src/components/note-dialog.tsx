import { type MutationMeta, useMutation } from "@tanstack/react-query";
import type { ComponentProps, FormEvent, ReactNode } from "react";
import { hasStatus } from "@/api/api-error";
import { discardPreservedInput, usePreservedInput } from "./use-preserved-input";
import { MAX_NOTE_LENGTH, noteLength } from "./report-reasons";
import { Button } from "@/ui/button";
import Dialog from "@/ui/dialog";
import { TextAreaField } from "@/ui/text-field";

interface Props extends Pick<ComponentProps<typeof Dialog>, "title" | "onClose"> {
  description?: string | undefined;
  /** The name by which the input is kept when Back closes the dialog. */
  inputKey: string;
  /** The choices of which one must be made before the note is sent, by their values. */
  choices?: Readonly<Record<string, string>>;
  /** The label of the note; without it, no note is asked for. */
  label: string | undefined;
  button: ComponentProps<typeof Button>;
  /** The button's label while it is sent. */
  pending: string;
  send: (note: string, choice: string) => Promise<unknown>;
  meta: MutationMeta;
  /** Shown above the choices and the note. */
  children: ReactNode;
}

/** A dialog that sends a note to moderators, or one of theirs. */
export function NoteDialog(props: Props) {
  const { title, description, inputKey, choices, label, button, pending, send, meta, children } =
    props;
  const [{ note, choice }, setInput] = usePreservedInput(inputKey, { note: "", choice: "" });
  const { isPending, mutate } = useMutation({
    mutationFn: () => send(note.trim(), choice),
    meta,
    onSuccess: close,
    onError(error) {
      // Another moderator was faster: the page shows what they decided.
      const isOver = hasStatus(error, 404, 409);
      if (meta.invalidates && isOver) close();
    },
  });
  // An action that changes the page stays in sight until it is done.
  const isBlocking = isPending && meta.invalidates !== undefined;
  const length = noteLength(note);
  const disabled = (choices && choice === "") || length > MAX_NOTE_LENGTH;

  function close() {
    discardPreservedInput(inputKey);
    props.onClose();
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    // A dialog inside of a form's dialog: React hands its events on to that form.
    event.stopPropagation();
    if (!disabled && !isPending) mutate();
  }

  return (
    <Dialog
      onClose={() => !isBlocking && close()}
      onBack={() => !isBlocking && props.onClose()}
      title={title}
      {...(description && { description })}
    >
      <form onSubmit={submit} className="space-y-5 px-6 pt-2 pb-6">
        {children}
        {choices && (
          <fieldset>
            <legend className="mb-1.5 text-sm font-medium">What is wrong?</legend>
            {Object.entries(choices).map(([value, text]) => (
              <label
                key={value}
                className="-mx-3 flex min-h-11 cursor-pointer items-center gap-3 rounded-xl px-3 hover:bg-muted"
              >
                <input
                  type="radio"
                  name="reason"
                  value={value}
                  checked={choice === value}
                  onChange={() => setInput({ note, choice: value })}
                  className="size-[18px] accent-primary-strong"
                />
                {text}
              </label>
            ))}
          </fieldset>
        )}
        {label && (
          <TextAreaField
            label={label}
            length={length}
            max={MAX_NOTE_LENGTH}
            value={note}
            onChange={(event) => setInput({ note: event.target.value, choice })}
            rows={2}
            dir="auto"
            className="min-h-20"
          />
        )}
        <div className="flex justify-end gap-3">
          <Button variant="outline" aria-disabled={isBlocking} onClick={close}>
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
