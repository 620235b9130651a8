import { ChartBarBig } from "lucide-react";
import { type FormEvent, type KeyboardEvent, useEffect, useId, useRef } from "react";
import type { NewPost } from "@/api/posts";
import { useMember } from "@/api/session";
import { cx } from "@/lib/cx";
import { isPostable, MAX_POST_LENGTH, normalizePost, postLength } from "@/lib/post-text";
import { randomKey } from "@/lib/random-key";
import { Avatar } from "@/ui/avatar";
import { Button, IconButton } from "@/ui/button";
import { CharacterCount } from "@/ui/character-count";
import { useDraft } from "./draft";
import { pollOptions, pollProblem, togglePoll } from "./poll-draft";
import { PollEditor } from "./poll-editor";
import { useCreatePost } from "./use-create-post";

interface Props {
  /** Rows of the text area before it grows. */
  rows: 2 | 6;
  replyToId?: string;
  autoFocus?: boolean;
  onPosted?: () => void;
}

/** Where a post or a reply is written. What is written survives failures and reloads. */
export function Composer({ rows, replyToId, autoFocus = false, onPosted }: Props) {
  const me = useMember();
  const { draft, change, clear } = useDraft(me.id, replyToId);
  const create = useCreatePost();
  const area = useRef<HTMLTextAreaElement>(null);
  const countId = useId();
  const problem = pollProblem(draft.poll);
  const disabled = create.isPending || problem !== null || !isPostable(draft.text);

  useEffect(() => {
    if (autoFocus) area.current?.focus();
  }, [autoFocus]);

  function submit(event?: FormEvent) {
    event?.preventDefault();
    if (disabled) return;
    const body = newPost(draft.text, pollOptions(draft.poll), replyToId);
    const sent = JSON.stringify(body);
    const key = draft.attempt?.sent === sent ? draft.attempt.key : randomKey();
    change({ attempt: { key, sent } });
    create.mutate(
      { body, key },
      {
        onSuccess() {
          clear();
          onPosted?.();
        },
      },
    );
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) submit();
  }

  return (
    <form onSubmit={submit} className="flex gap-3">
      <Avatar member={me} className="max-sm:hidden" />
      <div className="min-w-0 flex-1">
        <textarea
          ref={area}
          rows={rows}
          value={draft.text}
          onChange={(event) => change({ text: event.target.value })}
          onKeyDown={onKeyDown}
          readOnly={create.isPending}
          dir="auto"
          aria-label={replyToId ? "Your reply" : "Your post"}
          aria-describedby={countId}
          placeholder={replyToId ? "Write your reply" : "What's on your mind?"}
          className={cx(
            "field-sizing-content max-h-[50dvh] w-full resize-none bg-transparent pt-1.5 text-lg leading-7 outline-none",
            // Growing with the text makes browsers ignore the number of rows.
            rows === 2 ? "min-h-[4.25rem]" : "min-h-[11.25rem]",
          )}
        />
        {draft.poll && (
          <PollEditor poll={draft.poll} problem={problem} onChange={(poll) => change({ poll })} />
        )}
        <div className="mt-2 flex items-center gap-3 border-t border-line pt-2.5">
          <IconButton
            label={draft.poll ? "Remove poll" : "Add poll"}
            aria-pressed={draft.poll !== null}
            onClick={() => change({ poll: togglePoll(draft.poll) })}
            className={cx("-ml-2.5", draft.poll ? "bg-wash text-ember-deep" : "text-muted")}
          >
            <ChartBarBig size={20} aria-hidden />
          </IconButton>
          <span className="flex-1" />
          <CharacterCount id={countId} length={postLength(draft.text)} max={MAX_POST_LENGTH} />
          <Button type="submit" size="small" disabled={disabled}>
            {create.isPending ? "Posting..." : "Post"}
          </Button>
        </div>
      </div>
    </form>
  );
}

function newPost(text: string, options: string[], replyToId: string | undefined): NewPost {
  return {
    content: normalizePost(text),
    ...(options.length > 0 && { pollOptions: options }),
    ...(replyToId !== undefined && { replyToId }),
  };
}
