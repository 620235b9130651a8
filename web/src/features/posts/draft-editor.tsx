import { plural, t } from "@lingui/core/macro";
import { useId } from "react";
import { MAX_POST_LENGTH, postLength } from "@/lib/text/post-text";
import { useStore } from "@/lib/state/store";
import { CharacterCount } from "@/ui/character-count";
import { getDraft } from "./draft";
import { pollProblem } from "./poll-draft";
import { PollEditor } from "./poll-editor";

interface Props {
  userId: string;
  replyToId?: string;
}

/** Edits the words of a draft that cannot be posted now. The composer shows them once it can. */
export function DraftEditor({ userId, replyToId }: Props) {
  const { store, update } = getDraft(userId, replyToId);
  const { text, poll, images } = useStore(store);
  const id = useId();
  const countId = `${id}-count`;
  return (
    <div className="rounded-2xl border border-border bg-popover px-5 pt-4 pb-3 focus-within:border-primary focus-within:ring-3 focus-within:ring-primary/20">
      <label htmlFor={id} className="text-sm font-semibold">
        {replyToId ? t`Your reply` : t`Your post`}
      </label>
      <textarea
        id={id}
        rows={3}
        value={text}
        onChange={(event) => update({ text: event.target.value })}
        dir="auto"
        aria-describedby={countId}
        placeholder={replyToId ? t`Write your reply` : t`What's on your mind?`}
        className="field-sizing-content min-h-[5.25rem] w-full resize-none bg-transparent pt-1.5 text-lg leading-7 outline-none"
      />
      {poll && (
        <PollEditor
          poll={poll}
          problem={pollProblem(poll)}
          disabled={false}
          onChange={(changed) => update({ poll: changed })}
        />
      )}
      <div className="mt-2 flex min-h-7 items-center gap-3 border-t border-border pt-2.5 text-sm text-muted-foreground">
        <p className="flex-1">
          {images.length > 0 &&
            plural(images.length, {
              one: "An image is part of this draft.",
              other: "# images are part of this draft.",
            })}
        </p>
        <CharacterCount id={countId} length={postLength(text)} max={MAX_POST_LENGTH} />
      </div>
    </div>
  );
}
