import { type ChangeEvent, type FormEvent, useEffect, useRef } from "react";
import { getFieldErrors } from "@/api/api-error";

/**
 * A form that is sent by a mutation. The server's sentence about a field appears at the field, and the
 * focus goes to the first one. `read` makes the variables of the values, or null to send nothing.
 */
export function useServerForm<Values extends Record<string, string>, Variables>(
  [values, setValues]: [Values, (values: Values) => void],
  mutation: { error: unknown; isPending: boolean; mutate: (variables: Variables) => void },
  read: (values: Values) => Variables | null,
) {
  const ref = useRef<HTMLFormElement>(null);
  const { error, isPending } = mutation;
  useEffect(() => {
    if (error) ref.current?.querySelector<HTMLElement>("[aria-invalid='true']")?.focus();
  }, [error]);
  return {
    form: {
      ref,
      onSubmit(event: FormEvent) {
        event.preventDefault();
        const variables = isPending ? null : read(values);
        if (variables !== null) mutation.mutate(variables);
      },
    },
    /** The props of a field; `clean` changes what is typed. */
    field: (name: keyof Values & string, clean = (text: string) => text) => ({
      value: values[name],
      onChange({ target }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) {
        setValues({ ...values, [name]: clean(target.value) });
      },
      error: getFieldErrors(error)[name],
      readOnly: isPending,
    }),
  };
}
