import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useMutation } from "@tanstack/react-query";
import { CircleCheck } from "lucide-react";
import { getVoteCount, withVote } from "@/api/post-cache";
import { votePoll } from "@/api/posts";
import type { Post } from "@/api/types";
import { cx } from "@/lib/dom/cx";
import { formatDateTime, formatRelative } from "@/lib/time/format-date";
import { useNow } from "@/lib/time/use-now";
import { ignoreDoubleClick } from "@/ui/ignore-double-click";

export function Poll({ post }: { post: Post }) {
  const now = useNow();
  const voteMutation = useMutation({
    mutationFn: (option: string | null) => votePoll(post.id, option),
    // One after another: the last choice is the one that counts.
    scope: { id: `vote ${post.id}` },
    meta: { failure: t`Failed to vote. Please try again.` },
  });
  const options = post.pollOptions ?? [];
  if (options.length === 0) return null;
  const optimisticPost = voteMutation.isPending ? withVote(post, voteMutation.variables) : post;
  const tallies = options.map((option) => getVoteCount(optimisticPost, option));
  const total = tallies.reduce((sum, tally) => sum + tally, 0);
  const isExpired = Date.parse(post.pollExpiresAt ?? "") <= now;
  const expiry = formatRelative(post.pollExpiresAt ?? "", now);
  return (
    <div className="mt-3">
      <div role="group" aria-label={t`Poll`} className="space-y-2">
        {options.map((option, index) => (
          <PollOption
            key={option}
            option={option}
            percent={total === 0 ? 0 : Math.round(((tallies[index] ?? 0) / total) * 100)}
            isChosen={optimisticPost.pollMyVote === option}
            onVote={
              isExpired
                ? undefined
                : () => voteMutation.mutate(optimisticPost.pollMyVote === option ? null : option)
            }
          />
        ))}
      </div>
      <p className="mt-2 text-sm text-muted-foreground tabular-nums">
        {plural(total, { one: "# vote", other: "# votes" })}
        {post.pollExpiresAt && (
          <>
            {" · "}
            <time dateTime={post.pollExpiresAt} title={formatDateTime(post.pollExpiresAt)}>
              {isExpired ? t`Expired ${expiry}` : t`Expires ${expiry}`}
            </time>
          </>
        )}
        {!isExpired && optimisticPost.pollMyVote != null && (
          <>
            {" · "}
            <button
              type="button"
              onClick={() => voteMutation.mutate(null)}
              className="relative font-medium text-primary-strong underline decoration-primary/40 underline-offset-3 after:absolute after:-inset-x-2 after:-inset-y-3 hover:decoration-current"
            >
              <Trans>Undo vote</Trans>
            </button>
          </>
        )}
      </p>
    </div>
  );
}

interface PollOptionProps {
  option: string;
  percent: number;
  isChosen: boolean;
  onVote: (() => void) | undefined;
}

function PollOption({ option, percent, isChosen, onVote }: PollOptionProps) {
  const rowClass = cx(
    "relative flex min-h-11 w-full items-center gap-2 overflow-hidden rounded-xl border px-4 py-2 text-start text-body-sm",
    isChosen ? "border-primary" : "border-border",
  );
  const content = (
    <>
      <span
        aria-hidden
        className={cx(
          // The edge is what sets the bar off: its fill has words on it.
          "absolute inset-y-0 start-0 border-b-4 transition-[width] duration-200",
          // A strip below the words: on a system colour behind them they could not be read.
          "forced-colors:top-auto forced-colors:h-1.5 forced-colors:border-0 forced-colors:bg-highlight",
          isChosen ? "border-primary bg-primary/18" : "border-muted-foreground bg-muted",
        )}
        style={{ width: `${percent}%` }}
      />
      <span
        dir="auto"
        className={cx("relative min-w-0 wrap-anywhere", isChosen && "font-semibold")}
      >
        {option}
      </span>
      {isChosen && (
        <CircleCheck
          size={16}
          aria-label={t`Your vote`}
          className="relative shrink-0 text-primary-strong"
        />
      )}
      <span className="relative ms-auto shrink-0 ps-3 font-medium tabular-nums">{percent}%</span>
    </>
  );
  if (!onVote) return <div className={rowClass}>{content}</div>;
  return (
    <button
      type="button"
      aria-pressed={isChosen}
      onClick={ignoreDoubleClick(onVote)}
      className={cx(rowClass, "hover:border-primary")}
    >
      {content}
    </button>
  );
}
