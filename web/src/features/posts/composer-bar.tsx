import { ChartBarBig, ImagePlus } from "lucide-react";
import { cx } from "@/lib/cx";
import { MAX_POST_LENGTH, postLength } from "@/lib/post-text";
import { Button, IconButton } from "@/ui/button";
import { CharacterCount } from "@/ui/character-count";
import { useFilePicker } from "@/ui/use-file-picker";
import type { Draft } from "./draft";
import { roomFor } from "./draft-images";

interface Props {
  countId: string;
  draft: Draft;
  /** Whether it is being posted, from here or from another composer. */
  pending: boolean;
  disabled: boolean;
  /** What has to happen before it can be posted. */
  waiting: string | null;
  onFiles: (files: File[]) => void;
  onTogglePoll: () => void;
}

/** What a post can carry besides its text, how long it is, and the button that sends it. */
export function ComposerBar(props: Props) {
  const { countId, draft, pending, disabled, waiting, onFiles, onTogglePoll } = props;
  const room = roomFor(draft.images);
  const picker = useFilePicker(room > 1, onFiles);
  return (
    <div className="mt-2 border-t border-line pt-2.5">
      <div className="flex items-center gap-3">
        <div className="-ml-2.5 flex flex-1">
          {picker.field}
          <IconButton
            label={room === 0 ? "A post can have at most 4 images" : "Add images"}
            disabled={pending || room === 0}
            onClick={picker.open}
            className="text-muted"
          >
            <ImagePlus size={20} aria-hidden />
          </IconButton>
          <IconButton
            label={draft.poll ? "Remove poll" : "Add poll"}
            aria-pressed={draft.poll !== null}
            disabled={pending}
            onClick={onTogglePoll}
            className={draft.poll ? "bg-wash text-ember-deep" : "text-muted"}
          >
            <ChartBarBig size={20} aria-hidden />
          </IconButton>
        </div>
        <CharacterCount id={countId} length={postLength(draft.text)} max={MAX_POST_LENGTH} />
        <Button type="submit" size="small" disabled={disabled}>
          {pending ? "Posting..." : "Post"}
        </Button>
      </div>
      <p
        role="status"
        className={cx("text-right text-sm text-muted", waiting !== null && "mt-1.5")}
      >
        {waiting}
      </p>
    </div>
  );
}
