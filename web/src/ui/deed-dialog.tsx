import { useMutation } from "@tanstack/react-query";
import type { FormEvent } from "react";
import { hasStatus } from "@/api/error";
import { refreshModeration } from "@/api/moderation";
import { dropInput, useKeptInput } from "@/lib/kept-input";
import { MAX_NOTE_LENGTH, noteLength } from "@/lib/report-reasons";
import { toast } from "@/lib/toast";
import { Button } from "./button";
import Dialog from "./dialog";
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
  /** The name by which the note is kept when Back closes the dialog. */
  form: string;
  onClose: () => void;
}

/** Says what will happen and asks why, for as long as it is rendered. */
export function DeedDialog({ deed, form, onClose }: Props) {
  const [note, setNote] = useKeptInput(form, "");
  function close() {
    dropInput(form);
    onClose();
  }
  const doing = useMutation({
    mutationFn: async () => {
      await deed.run(note.trim());
      await refreshModeration();
    },
    onSuccess() {
      toast({ title: deed.done });
      close();
    },
    meta: { failure: "Something went wrong. Please try again." },
    onError(error) {
      // Somebody was faster: the list shows what they decided.
      if (hasStatus(error, 404, 409)) void refreshModeration().finally(close);
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
      onClose={() => !doing.isPending && close()}
      onBack={() => !doing.isPending && onClose()}
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
          <Button look="outline" aria-disabled={doing.isPending} onClick={close}>
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
