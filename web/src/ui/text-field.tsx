import { type ComponentPropsWithRef, type ReactNode, useId } from "react";
import { cx } from "@/lib/dom/cx";
import { CharacterCount } from "./character-count";

type Props = ComponentPropsWithRef<"input"> & {
  label: string;
  hint?: ReactNode;
  error?: string | undefined;
  /** Whether the hint changes while typing and is then read out. */
  live?: boolean;
};

const controlClass =
  "w-full rounded-2xl border border-border bg-background px-4 text-base transition-colors outline-none focus:border-primary focus:ring-3 focus:ring-primary/20 not-focus:aria-invalid:border-destructive";

/** A labelled line of text with a hint under it; an error takes the hint's place. */
export function TextField({ label, hint, error, live, className, ...rest }: Props) {
  const id = useId();
  const noteId = `${id}-note`;
  const note = error ?? hint;
  return (
    <div>
      <Label htmlFor={id}>{label}</Label>
      <input
        {...rest}
        id={id}
        aria-invalid={error !== undefined}
        {...(note !== undefined && { "aria-describedby": noteId })}
        className={cx("h-12", controlClass, className)}
      />
      {note !== undefined && (
        <p
          id={noteId}
          {...(live && { "aria-live": "polite" })}
          className={cx(
            "mt-1.5 text-sm wrap-anywhere",
            error === undefined ? "text-muted-foreground" : "text-destructive",
          )}
        >
          {note}
        </p>
      )}
    </div>
  );
}

type TextAreaProps = ComponentPropsWithRef<"textarea"> & {
  label: string;
  hint?: string | undefined;
  error?: string | undefined;
  /** How long the text is, and how long it may be. */
  length: number;
  max: number;
  /** Beside the label: what can be done with the text. */
  action?: ReactNode;
};

/** A labelled text of several lines with a hint and a count of its characters under it; an error takes the hint's place. */
export function TextAreaField(props: TextAreaProps) {
  const { label, hint, error, length, max, action, className, ...rest } = props;
  const id = useId();
  const countId = `${id}-count`;
  const noteId = `${id}-note`;
  const note = error ?? hint;
  return (
    <div>
      <div className="flex items-end justify-between gap-4">
        <Label htmlFor={id}>{label}</Label>
        {action}
      </div>
      <textarea
        {...rest}
        id={id}
        aria-invalid={error !== undefined}
        aria-describedby={note === undefined ? countId : `${noteId} ${countId}`}
        className={cx(
          "field-sizing-content max-h-[40dvh] resize-none py-3",
          controlClass,
          className,
        )}
      />
      <div className="mt-1 flex items-baseline justify-between gap-4">
        <p
          id={noteId}
          className={cx(
            "text-sm",
            error === undefined ? "text-muted-foreground" : "text-destructive",
          )}
        >
          {note}
        </p>
        <span className="shrink-0">
          <CharacterCount id={countId} length={length} max={max} />
        </span>
      </div>
    </div>
  );
}

function Label({ htmlFor, children }: { htmlFor: string; children: ReactNode }) {
  return (
    <label htmlFor={htmlFor} className="mb-1.5 block text-sm font-medium">
      {children}
    </label>
  );
}
