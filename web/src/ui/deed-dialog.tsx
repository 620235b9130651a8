import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { hasStatus, sentenceOf } from "@/api/error";
import { showFailure } from "@/api/failure";
import { refreshModeration } from "@/api/moderation";
import { focusMain } from "@/lib/focus-main";
import { MAX_NOTE_LENGTH, noteLength } from "@/lib/report-reasons";
import { toast } from "@/lib/toast";
import { Button } from "./button";
import { Dialog } from "./dialog";
import { AreaField } from "./field";

/** Something that a moderator is about to do. */
export interface Deed {
  /** The question. */
  title: string;
  /** What will follow, and how to take it back. */
  description: string;
  /** What the button that does it says. */
  action: string;
  /** What is said once it is done. */
  done: string;
  /** Whether somebody loses something by it. */
  isGrave?: boolean;
  /** Whether it only takes something back, for which nobody is asked why. */
  isUndo?: boolean;
  run: (note: string) => Promise<void>;
}

/** Removes a post by somebody, as `run` does it. */
export function removalOf(username: string, run: Deed["run"]): Deed {
  return {
    title: "Remove this post?",
    description: `It disappears for everyone, as if @${username} had deleted it, and cannot be brought back. What others replied stays. The author is not told.`,
    action: "Remove post",
    done: "Post removed",
    isGrave: true,
    run,
  };
}

interface Props {
  deed: Deed;
  onClose: () => void;
}

/** Says what will happen and asks why, for as long as it is rendered. */
export function DeedDialog({ deed, onClose }: Props) {
  const [note, setNote] = useState("");
  const doing = useMutation({
    mutationFn: async () => {
      await deed.run(note.trim());
      await refreshModeration();
    },
    onSuccess() {
      toast({ title: deed.done });
      onClose();
      keepFocus();
    },
    onError(error) {
      // Somebody was faster: the list shows what they decided.
      if (hasStatus(error, 409) || hasStatus(error, 404)) {
        void refreshModeration().then(keepFocus);
        onClose();
      }
      showFailure(error, sentenceOf(error, "That did not work. Please try again."));
    },
  });
  const length = noteLength(note);
  const disabled = length > MAX_NOTE_LENGTH;

  function submit(event: FormEvent) {
    event.preventDefault();
    if (!disabled && !doing.isPending) doing.mutate();
  }

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && !doing.isPending && onClose()}
      title={deed.title}
      description={deed.description}
    >
      <form onSubmit={submit} className="space-y-5 px-6 pt-2 pb-6">
        <p aria-hidden className="text-muted [overflow-wrap:anywhere]">
          {deed.description}
        </p>
        {!deed.isUndo && (
          <AreaField
            label="Why? (optional, for the audit log)"
            length={length}
            max={MAX_NOTE_LENGTH}
            value={note}
            onChange={(event) => setNote(event.target.value)}
            rows={2}
            dir="auto"
            className="min-h-20"
          />
        )}
        <div className="flex justify-end gap-3">
          <Button look="outline" aria-disabled={doing.isPending} onClick={onClose}>
            Cancel
          </Button>
          {/* Not disabled meanwhile: a disabled button loses the focus. */}
          <Button
            type="submit"
            look={deed.isGrave ? "danger" : "primary"}
            disabled={disabled}
            aria-disabled={doing.isPending}
            className="min-w-26"
          >
            {doing.isPending ? "Working..." : deed.action}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** The button that asked may be gone with its row, and the focus must not go with it. */
function keepFocus(): void {
  setTimeout(() => {
    if (document.activeElement === document.body) focusMain();
  });
}
