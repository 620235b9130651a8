import { Trans } from "@lingui/react/macro";
import { type MutationMeta, useMutation } from "@tanstack/react-query";
import type { ComponentProps, ReactNode } from "react";
import { hasStatus } from "@/api/api-error";
import { discardPreservedInput, usePreservedInput } from "./use-preserved-input";
import { MAX_NOTE_LENGTH, noteLength } from "./report-reasons";
import { useServerForm } from "./use-server-form";
import { Button } from "@/ui/button";
import Dialog from "@/ui/dialog";
import { SubmitButton } from "@/ui/submit-button";
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
  const [values, setValues] = usePreservedInput(inputKey, { note: "", choice: "" });
  const mutation = useMutation({
    mutationFn: ({ note, choice }: typeof values) => send(note.trim(), choice),
    meta: { ...meta, fields: label ? ["note"] : [] },
    onSuccess: close,
    onError(error) {
      // Another moderator was faster: the page shows what they decided.
      const isOver = hasStatus(error, 404, 409);
      if (meta.invalidates && isOver) close();
    },
  });
  const length = noteLength(values.note);
  const disabled = (choices && values.choice === "") || length > MAX_NOTE_LENGTH;
  const { form, field, isPending } = useServerForm({
    values,
    setValues,
    mutation,
    toVariables: () => (disabled ? null : values),
  });
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
        {label && (
          <TextAreaField
            {...field("note")}
            label={label}
            length={length}
            max={MAX_NOTE_LENGTH}
            rows={2}
            dir="auto"
            className="min-h-20"
          />
        )}
        <div className="flex justify-end gap-3">
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
