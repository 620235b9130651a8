import { Trans } from "@lingui/react/macro";
import { type ComponentProps, useState } from "react";
import { Button } from "@/ui/button";
import { SubmitButton } from "@/ui/submit-button";
import { TextField } from "@/ui/text-field";
import { useServerForm } from "./use-server-form";

interface Props extends Omit<ComponentProps<typeof TextField>, "name"> {
  /** The server's name of the field. */
  name: string;
  mutation: {
    error: unknown;
    isPending: boolean;
    mutate: (text: string, options: { onSuccess: () => void }) => void;
  };
  clean?: (text: string) => string;
  /** Says what went wrong; without it, the server's sentence about the field appears. */
  describeError?: (error: unknown) => string;
  button: ComponentProps<typeof Button>;
  pending: string;
  layout: string;
  /** Adds a "Cancel" button; the form is in a dialog then. */
  onCancel?: () => void;
}

/** A form of one text, which is sent trimmed and not when it is blank. */
export function TextForm(props: Props) {
  const { name, mutation, clean, button, pending, layout, describeError, onCancel, ...rest } =
    props;
  const [values, setValues] = useState<Record<string, string>>({ [name]: "" });
  const onSuccess = () => setValues({ [name]: "" });
  const { form, field, isPending } = useServerForm({
    values,
    setValues,
    mutation: { ...mutation, mutate: (text: string) => mutation.mutate(text, { onSuccess }) },
    toVariables: (current) => current[name]?.trim() || null,
    ...(describeError && { describeError: (error) => ({ [name]: describeError(error) }) }),
  });
  return (
    <form {...form} noValidate className={layout}>
      <TextField {...field(name, clean)} {...rest} />
      <div className={onCancel ? "flex justify-end gap-3" : "contents"}>
        {onCancel && (
          <Button variant="outline" aria-disabled={isPending} onClick={onCancel}>
            <Trans>Cancel</Trans>
          </Button>
        )}
        <SubmitButton variant="outline" {...button} isPending={isPending} pending={pending} />
      </div>
    </form>
  );
}
