import { type ComponentPropsWithRef, useId } from "react";
import { cx } from "@/lib/cx";

type Props = ComponentPropsWithRef<"input"> & {
  label: string;
  hint?: string;
  error?: string | undefined;
};

/** A labelled line of text with a hint under it; an error takes the hint's place. */
export function Field({ label, hint, error, className, id, ...rest }: Props) {
  const ownId = useId();
  const inputId = id ?? ownId;
  const noteId = `${inputId}-note`;
  const note = error ?? hint;
  return (
    <div>
      <label htmlFor={inputId} className="mb-1.5 block text-sm font-medium">
        {label}
      </label>
      <input
        {...rest}
        id={inputId}
        aria-invalid={error !== undefined}
        {...(note !== undefined && { "aria-describedby": noteId })}
        className={cx(
          "h-12 w-full rounded-2xl border bg-paper px-4 text-base transition-colors outline-none",
          "focus:border-ember focus:ring-3 focus:ring-ember/20",
          error === undefined ? "border-line" : "border-danger",
          className,
        )}
      />
      {note !== undefined && (
        <p
          id={noteId}
          className={cx("mt-1.5 text-sm", error === undefined ? "text-muted" : "text-danger")}
        >
          {note}
        </p>
      )}
    </div>
  );
}
