import { type ChangeEvent, useEffect, useRef, useState } from "react";
import { getFieldErrors } from "@/api/api-error";
import { handleSubmit } from "@/lib/dom/handle-submit";
import { toastError } from "@/lib/state/toast";

/** Why a form cannot be sent yet, said at the field and in a toast. */
export interface FieldProblem<Name extends string = string> {
  field: Name;
  title: string;
  text: string;
}

interface Options<Values extends Record<string, string>, Variables> {
  values: Values;
  setValues: (values: Values) => void;
  mutation: { error: unknown; isPending: boolean; mutate: (variables: Variables) => void };
  /** Checks the values before they are sent. */
  validate?: (values: Values) => FieldProblem<keyof Values & string> | null;
  /** Makes the variables of the values, or null to send nothing. */
  toVariables: (values: Values) => Variables | null;
  /** The sentences of an error by field; without it, those of the server. */
  describeError?: (error: unknown) => Readonly<Record<string, string>>;
}

/**
 * A form that a mutation sends. While it is sent, fields are read-only and a second submit does nothing; if it
 * fails, what was typed stays. A sentence about a field appears at the field, which is invalid then and takes
 * the focus, so that screen readers read both. Other messages are in the mutation's `meta`.
 */
export function useServerForm<Values extends Record<string, string>, Variables>(
  options: Options<Values, Variables>,
) {
  const { values, setValues, mutation, validate, toVariables } = options;
  const { error, isPending } = mutation;
  const [problem, setProblem] = useState<FieldProblem | null>(null);
  const ref = useRef<HTMLFormElement>(null);
  const errors = error ? (options.describeError ?? getFieldErrors)(error) : {};

  useEffect(() => {
    if (error) focusInvalidField(ref.current);
  }, [error]);
  useEffect(() => {
    if (problem) focusInvalidField(ref.current);
  }, [problem]);

  function submit() {
    if (isPending) return;
    const found = validate?.(values) ?? null;
    setProblem(found);
    if (found) return toastError(found.text, found.title);
    const variables = toVariables(values);
    if (variables !== null) mutation.mutate(variables);
  }

  return {
    isPending,
    form: { ref, onSubmit: handleSubmit(submit) },
    /** The props of a field; `clean` changes what is typed. */
    field: (name: keyof Values & string, clean?: (text: string) => string) => ({
      value: values[name],
      onChange({ target }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) {
        setValues({ ...values, [name]: clean ? clean(target.value) : target.value });
      },
      error: problem?.field === name ? problem.text : errors[name],
      readOnly: isPending,
    }),
    clearProblem: () => setProblem(null),
  };
}

function focusInvalidField(form: HTMLFormElement | null): void {
  form?.querySelector<HTMLElement>("[aria-invalid='true']")?.focus();
}
