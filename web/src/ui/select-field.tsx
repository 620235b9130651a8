import { type ReactNode, useId } from "react";

/** A labelled list of choices. */
export function SelectField(props: {
  label: string;
  value: string;
  disabled?: boolean;
  onChange: (value: string) => void;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <div>
      <label htmlFor={id} className="mb-1.5 block text-sm font-medium">
        {props.label}
      </label>
      <select
        id={id}
        value={props.value}
        disabled={props.disabled}
        onChange={({ target }) => props.onChange(target.value)}
        className="h-12 w-full rounded-2xl border border-border bg-background px-4 text-base outline-none focus:border-primary focus:ring-3 focus:ring-primary/20"
      >
        {props.children}
      </select>
    </div>
  );
}
