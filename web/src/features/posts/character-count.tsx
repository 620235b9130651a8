import { cx } from "@/lib/cx";
import { MAX_POST_LENGTH, postLength } from "@/lib/post-text";

const CLOSE = 40;

/** How much of a post's length is used; speaks up only when little is left. */
export function CharacterCount({ id, text }: { id: string; text: string }) {
  const length = postLength(text);
  const left = MAX_POST_LENGTH - length;
  return (
    <>
      <span
        id={id}
        className={cx(
          "text-sm tabular-nums",
          left < 0 ? "font-semibold text-danger" : "text-muted",
        )}
      >
        <span className="sr-only">Characters used: </span>
        {length}/{MAX_POST_LENGTH}
      </span>
      <span role="status" className="sr-only">
        {left < 0 && `${-left} characters too many`}
        {left >= 0 && left <= CLOSE && left % 10 === 0 && `${left} characters left`}
      </span>
    </>
  );
}
