import { useMutation } from "@tanstack/react-query";
import { CircleCheck } from "lucide-react";
import { sentenceOf } from "@/api/error";
import { showFailure } from "@/api/failure";
import { storePosts, tallyOf, withVote } from "@/api/post-cache";
import { sendVote } from "@/api/posts";
import type { Post } from "@/api/types";
import { cx } from "@/lib/cx";
import { exactTime, relativeTime } from "@/lib/time";
import { useNow } from "@/lib/use-now";
import { share } from "./poll-share";

/** A post's poll: the share of each option, and until it expires the way to vote. */
export function Poll({ post }: { post: Post }) {
  const now = useNow();
  const vote = useMutation({
    mutationFn: (option: string) => sendVote(post.id, option),
    onSuccess: (voted) => storePosts([voted]),
    onError: (error) => showFailure(error, sentenceOf(error, "Failed to vote. Please try again.")),
  });
  const options = post.pollOptions ?? [];
  if (options.length === 0) return null;
  const shown = vote.isPending ? withVote(post, vote.variables) : post;
  const tallies = options.map((option) => tallyOf(shown, option));
  const total = tallies.reduce((sum, tally) => sum + tally, 0);
  const expired = Boolean(post.pollExpiresAt) && Date.parse(post.pollExpiresAt ?? "") <= now;
  return (
    <div className="mt-3">
      <div role="group" aria-label="Poll" className="space-y-2">
        {options.map((option, index) => (
          <Option
            key={option}
            option={option}
            percent={share(tallies[index] ?? 0, total)}
            mine={shown.pollMyVote === option}
            {...(!expired && { onVote: () => !vote.isPending && vote.mutate(option) })}
          />
        ))}
      </div>
      <p className="mt-2 text-sm text-muted tabular-nums">
        {total} {total === 1 ? "vote" : "votes"}
        {post.pollExpiresAt && (
          <>
            {" · "}
            <time dateTime={post.pollExpiresAt} title={exactTime(post.pollExpiresAt)}>
              {expired ? "Expired" : "Expires"} {relativeTime(post.pollExpiresAt, now)}
            </time>
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
  onVote?: () => void;
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
          "absolute inset-y-0 left-0 transition-[width] duration-200",
          mine ? "bg-ember/18" : "bg-wash",
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
