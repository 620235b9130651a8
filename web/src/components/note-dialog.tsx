import { Trans } from "@lingui/react/macro";
import { type MutationMeta, useMutation } from "@tanstack/react-query";
import type { ComponentProps, ReactNode } from "react";
import { getFieldErrors, hasStatus } from "@/api/api-error";
import { discardPreservedInput, usePreservedInput } from "./use-preserved-input";
import { MAX_NOTE_LENGTH, noteLength } from "./report-reasons";
import { useServerForm } from "./use-server-form";
import { Button } from "@/ui/button";
import Dialog from "@/ui/dialog";
import { SubmitButton } from "@/ui/submit-button";
import { TextAreaField } from "@/ui/text-field";

/** What is typed into the dialog. */
export interface NoteInput extends Record<string, string> {
  note: string;
  choice: string;
  /** What a moderator writes to the member. */
  rule: string;
  message: string;
}

const noticeFields = ["rule", "message"];
const emptyInput: NoteInput = { note: "", choice: "", rule: "", message: "" };

interface Props extends Pick<ComponentProps<typeof Dialog>, "title" | "onClose"> {
  description?: string | undefined;
  /** The name by which the input is kept when Back closes the dialog. */
  inputKey: string;
  /** The choices of which one must be made before the note is sent, by their values. */
  choices?: Readonly<Record<string, string>>;
  /** The label of the note; without it, no note is asked for. */
  label: string | undefined;
  hint?: string | undefined;
  /** The server's name of the note. */
  noteName?: string;
  /** Whether it is not sent without a note. */
  isNoteRequired?: boolean;
  /** Renders further fields above the note. */
  renderFields?: ((form: NoteForm) => ReactNode) | undefined;
  button: ComponentProps<typeof Button>;
  /** The button's label while it is sent. */
  pending: string;
  send: (input: NoteInput) => Promise<unknown>;
  meta: MutationMeta;
  /** Shown above the choices and the note. */
  children: ReactNode;
}

/** The form of the dialog, for further fields. */
export type NoteForm = ReturnType<typeof useServerForm<NoteInput, NoteInput>> & {
  values: NoteInput;
  setValues: (values: NoteInput) => void;
};

/** A dialog that sends a note to moderators, or one of theirs. */
export function NoteDialog(props: Props) {
  const { title, description, inputKey, choices, label, hint, button, pending, send, meta } = props;
  const { noteName = "note", isNoteRequired, renderFields, children } = props;
  const [values, setValues] = usePreservedInput(inputKey, emptyInput);
  const mutation = useMutation({
    mutationFn: ({ choice, note, rule, message }: NoteInput) =>
      send({ choice, note: note.trim(), rule: rule.trim(), message: message.trim() }),
    meta: {
      ...meta,
      fields: [...(label ? [noteName] : []), ...(renderFields ? noticeFields : [])],
    },
    onSuccess: close,
    onError(error) {
      // Another moderator was faster: the page shows what they decided.
      const isOver = hasStatus(error, 404, 409);
      if (meta.invalidates && isOver) close();
    },
  });
  const length = noteLength(values.note);
  const isTooLong = Math.max(length, noteLength(values.message)) > MAX_NOTE_LENGTH;
  const isEmpty = (choices && values.choice === "") || (isNoteRequired && length === 0);
  const disabled = isEmpty || isTooLong;
  const serverForm = useServerForm<NoteInput, NoteInput>({
    values,
    setValues,
    mutation,
    toVariables: () => (disabled ? null : values),
    describeError: (error) => {
      const { [noteName]: note, ...rest } = getFieldErrors(error);
      return { ...rest, ...(note !== undefined && { note }) };
    },
  });
  const { form, field, isPending } = serverForm;
  // An action that changes the page stays in sight until it is done.
  const isBlocking = isPending && meta.invalidates !== undefined;

  function close() {
    discardPreservedInput(inputKey);
    props.onClose();
  }

  return (
    <Dialog
      onClose={() => !isBlocking && close()}
      onBack={() => !isBlocking && props.onClose()}
      title={title}
      {...(description && { description })}
    >
      <form {...form} className="space-y-5 px-6 pt-2 pb-6">
        {children}
        {choices && (
          <fieldset>
            <legend className="mb-1.5 text-sm font-medium">
              <Trans>What is wrong?</Trans>
            </legend>
            {Object.entries(choices).map(([value, text]) => (
              <label
                key={value}
                className="-mx-3 flex min-h-11 cursor-pointer items-center gap-3 rounded-xl px-3 hover:bg-muted"
              >
                <input
                  type="radio"
                  name="reason"
                  value={value}
                  checked={values.choice === value}
                  onChange={field("choice").onChange}
                  className="size-[18px] accent-primary-strong"
                />
                {text}
              </label>
            ))}
          </fieldset>
        )}
        {renderFields?.({ ...serverForm, values, setValues })}
        {label && (
          <TextAreaField
            {...field("note")}
            label={label}
            hint={hint}
            length={length}
            max={MAX_NOTE_LENGTH}
            rows={2}
            dir="auto"
            className="min-h-20"
          />
        )}
        <div className="flex flex-wrap justify-end gap-3">
          <Button variant="outline" aria-disabled={isBlocking} onClick={close}>
            <Trans>Cancel</Trans>
          </Button>
          <SubmitButton
            {...button}
            isPending={isPending}
            pending={pending}
            disabled={disabled}
            className="min-w-26"
          />
        </div>
      </form>
    </Dialog>
  );
}
