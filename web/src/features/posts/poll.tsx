import { useMutation } from "@tanstack/react-query";
import { CircleCheck } from "lucide-react";
import { getVoteCount, withVote } from "@/api/post-cache";
import { votePoll } from "@/api/posts";
import type { Post } from "@/api/types";
import { cx } from "@/lib/dom/cx";
import { formatDateTime, formatRelative } from "@/lib/time/format-date";
import { useNow } from "@/lib/time/use-now";

export function Poll({ post }: { post: Post }) {
  const now = useNow();
  const vote = useMutation({
    mutationFn: (option: string | null) => votePoll(post.id, option),
    meta: { failure: "Failed to vote. Please try again." },
  });
  const options = post.pollOptions ?? [];
  if (options.length === 0) return null;
  const shown = vote.isPending ? withVote(post, vote.variables) : post;
  const tallies = options.map((option) => getVoteCount(shown, option));
  const total = tallies.reduce((sum, tally) => sum + tally, 0);
  const choose = (option: string | null) => vote.isPending || vote.mutate(option);
  const expired = Date.parse(post.pollExpiresAt ?? "") <= now;
  return (
    <div className="mt-3">
      <div role="group" aria-label="Poll" className="space-y-2">
        {options.map((option, index) => (
          <Option
            key={option}
            option={option}
            percent={total === 0 ? 0 : Math.round(((tallies[index] ?? 0) / total) * 100)}
            mine={shown.pollMyVote === option}
            onVote={expired ? undefined : () => choose(shown.pollMyVote === option ? null : option)}
          />
        ))}
      </div>
      <p className="mt-2 text-sm text-muted tabular-nums">
        {total} {total === 1 ? "vote" : "votes"}
        {post.pollExpiresAt && (
          <>
            {" · "}
            <time dateTime={post.pollExpiresAt} title={formatDateTime(post.pollExpiresAt)}>
              {expired ? "Expired" : "Expires"} {formatRelative(post.pollExpiresAt, now)}
            </time>
          </>
        )}
        {!expired && shown.pollMyVote != null && (
          <>
            {" · "}
            <button
              type="button"
              onClick={() => choose(null)}
              className="relative font-medium text-ember-deep underline decoration-ember/40 underline-offset-3 after:absolute after:-inset-x-2 after:-inset-y-3 hover:decoration-current"
            >
              Undo vote
            </button>
          </>
        )}
      </p>
    </div>
  );
}

interface OptionProps {
  option: string;
  percent: number;
  mine: boolean;
  onVote: (() => void) | undefined;
}

function Option({ option, percent, mine, onVote }: OptionProps) {
  const row = cx(
    "relative flex min-h-11 w-full items-center gap-2 overflow-hidden rounded-xl border px-4 py-2 text-left text-[15px]",
    mine ? "border-ember" : "border-line",
  );
  const inside = (
    <>
      <span
        aria-hidden
        className={cx(
          // The edge is what sets the bar off: its fill has words on it.
          "absolute inset-y-0 left-0 border-b-4 transition-[width] duration-200",
          // A strip below the words: on a system colour behind them they could not be read.
          "forced-colors:top-auto forced-colors:h-1.5 forced-colors:border-0 forced-colors:bg-[Highlight]",
          mine ? "border-ember bg-ember/18" : "border-muted bg-wash",
        )}
        style={{ width: `${percent}%` }}
      />
      <span
        dir="auto"
        className={cx("relative min-w-0 [overflow-wrap:anywhere]", mine && "font-semibold")}
      >
        {option}
      </span>
      {mine && (
        <CircleCheck
          size={16}
          aria-label="Your vote"
          className="relative shrink-0 text-ember-deep"
        />
      )}
      <span className="relative ml-auto shrink-0 pl-3 font-medium tabular-nums">{percent}%</span>
    </>
  );
  if (!onVote) return <div className={row}>{inside}</div>;
  return (
    <button
      type="button"
      aria-pressed={mine}
      onClick={onVote}
      className={cx(row, "hover:border-ember")}
    >
      {inside}
    </button>
  );
}
