import { plural } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { cx } from "@/lib/dom/cx";
import { formatNumber } from "@/lib/text/format-number";

const WARNING_THRESHOLD = 40;

/** The used length of a text; announced to screen readers only when little is left. */
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
        <span className="sr-only">
          <Trans>Characters used:</Trans>{" "}
        </span>
        {formatNumber(length)}/{formatNumber(max)}
      </span>
      <span role="status" className="sr-only">
        {left < 0 && plural(-left, { one: "# character too many", other: "# characters too many" })}
        {left >= 0 &&
          left <= WARNING_THRESHOLD &&
          left % 10 === 0 &&
          plural(left, { one: "# character left", other: "# characters left" })}
      </span>
    </>
  );
}
