import { useMutation } from "@tanstack/react-query";
import { api } from "@/api/client";
import type { ReportReason } from "@/api/types";
import { dropInput, useKeptInput } from "@/lib/kept-input";
import { reportReasons } from "@/lib/report-reasons";
import { NoteDialog } from "./note-dialog";

interface Props {
  kind: "post" | "member";
  id: string;
  /** The username of the post's author, or of the member. */
  username: string;
  onClose: () => void;
}

interface Input {
  reason: ReportReason | null;
  note: string;
}

/** Where a member says what is wrong with a post or another member, for as long as it is rendered. */
export default function ReportDialog({ kind, id, username, onClose }: Props) {
  const form = `report:${kind}:${id}`;
  const [input, setInput] = useKeptInput<Input>(form, { reason: null, note: "" });
  const { reason, note } = input;
  const target = kind === "post" ? { postId: id } : { userId: id };
  const report = useMutation({
    mutationFn: (chosen: ReportReason) =>
      api.POST("/api/reports", {
        body: { ...target, reason: chosen, note: note.trim() },
      }),
    onSuccess: close,
    meta: {
      success: { title: "Report sent", description: "Thank you. A moderator will look at it." },
      failure: "Failed to send the report. Please try again.",
    },
  });
  function close() {
    dropInput(form);
    onClose();
  }
  return (
    <NoteDialog
      title={kind === "post" ? "Report this post" : `Report @${username}`}
      label="More about it (optional)"
      note={note}
      onNote={(text) => setInput({ ...input, note: text })}
      button={{ children: "Send report", disabled: reason === null }}
      pending="Sending..."
      isPending={report.isPending}
      onSend={() => reason && report.mutate(reason)}
      onClose={close}
      onBack={onClose}
    >
      <p className="pt-1 text-[15px] text-muted">
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
    </NoteDialog>
  );
}
