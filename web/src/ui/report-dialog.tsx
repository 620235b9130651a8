import { useMutation } from "@tanstack/react-query";
import type { FormEvent } from "react";
import { type ReportTarget, sendReport } from "@/api/safety";
import type { ReportReason } from "@/api/types";
import { dropInput, useKeptInput } from "@/lib/kept-input";
import { MAX_NOTE_LENGTH, noteLength, reportReasons } from "@/lib/report-reasons";
import { toast } from "@/lib/toast";
import { Button } from "./button";
import Dialog from "./dialog";
import { AreaField } from "./field";

interface Props extends ReportTarget {
  /** Who wrote the post, or the member; without the @. */
  username: string;
  onClose: () => void;
}

/** Where a member says what is wrong with a post or another member, for as long as it is rendered. */
export default function ReportDialog({ kind, id, username, onClose }: Props) {
  const title = kind === "post" ? "Report this post" : `Report @${username}`;
  const form = `report:${kind}:${id}`;
  function close() {
    dropInput(form);
    onClose();
  }
  return (
    <Dialog onClose={close} onBack={onClose} title={title}>
      <ReportForm form={form} kind={kind} id={id} username={username} onClose={close} />
    </Dialog>
  );
}

interface Input {
  reason: ReportReason | null;
  note: string;
}

function ReportForm({ form, kind, id, username, onClose }: Props & { form: string }) {
  const [input, setInput] = useKeptInput<Input>(form, { reason: null, note: "" });
  const { reason, note } = input;
  const report = useMutation({
    mutationFn: (chosen: ReportReason) => sendReport({ kind, id }, chosen, note.trim()),
    onSuccess() {
      toast({ title: "Report sent", description: "Thank you. A moderator will look at it." });
      onClose();
    },
    meta: { failure: "Failed to send the report. Please try again." },
  });
  const length = noteLength(note);
  const disabled = reason === null || length > MAX_NOTE_LENGTH;

  function submit(event: FormEvent) {
    event.preventDefault();
    // A dialog inside of a form's dialog: React hands its events on to that form.
    event.stopPropagation();
    if (reason !== null && !disabled && !report.isPending) report.mutate(reason);
  }

  return (
    <form onSubmit={submit} className="space-y-5 px-6 pt-3 pb-6">
      <p className="text-[15px] text-muted">
        Moderators see the report, and @{username} never learns who sent it.
      </p>
      <fieldset>
        <legend className="mb-1.5 text-sm font-medium">What is wrong?</legend>
        {Object.entries(reportReasons).map(([value, label]) => (
          <label
            key={value}
            className="-mx-3 flex min-h-11 cursor-pointer items-center gap-3 rounded-xl px-3 hover:bg-wash"
          >
            <input
              type="radio"
              name="reason"
              value={value}
              checked={reason === value}
              onChange={() => setInput({ ...input, reason: value as ReportReason })}
              className="size-[18px] accent-ember-deep"
            />
            {label}
          </label>
        ))}
      </fieldset>
      <AreaField
        label="More about it (optional)"
        length={length}
        max={MAX_NOTE_LENGTH}
        value={note}
        onChange={(event) => setInput({ ...input, note: event.target.value })}
        rows={2}
        dir="auto"
        className="min-h-20"
      />
      <div className="flex justify-end gap-3">
        <Button look="outline" onClick={onClose}>
          Cancel
        </Button>
        {/* Not disabled while it is sent: a disabled button loses the focus, and Escape its dialog. */}
        <Button
          type="submit"
          disabled={disabled}
          aria-disabled={report.isPending}
          className="min-w-26"
        >
          {report.isPending ? "Sending..." : "Send report"}
        </Button>
      </div>
    </form>
  );
}
