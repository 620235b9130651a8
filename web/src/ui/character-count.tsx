import { pluralize } from "@/lib/text/format-number";
import { cx } from "@/lib/dom/cx";

const WARNING_THRESHOLD = 40;

/** How much of a text's length is used; speaks up only when little is left. */
export function CharacterCount({ id, length, max }: { id: string; length: number; max: number }) {
  const left = max - length;
  return (
    <>
      <span
        id={id}
        className={cx(
          "text-sm tabular-nums",
          left < 0 ? "font-semibold text-destructive" : "text-muted-foreground",
        )}
      >
        <span className="sr-only">Characters used: </span>
        {length}/{max}
      </span>
      <span role="status" className="sr-only">
        {left < 0 && `${-left} ${pluralize(-left, "character")} too many`}
        {left >= 0 && left <= WARNING_THRESHOLD && left % 10 === 0 && `${left} characters left`}
      </span>
    </>
  );
}
