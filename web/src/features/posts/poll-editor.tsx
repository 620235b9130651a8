import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Plus, X } from "lucide-react";
import { IconButton } from "@/ui/button";
import { ignoreDoubleClick } from "@/ui/ignore-double-click";
import { addOption, editOption, MAX_OPTIONS, type PollDraft, removeOption } from "./poll-draft";

interface Props {
  poll: readonly string[];
  problem: string | null;
  disabled: boolean;
  onChange: (poll: PollDraft) => void;
}

export function PollEditor({ poll, problem, disabled, onChange }: Props) {
  return (
    <fieldset className="mt-2 space-y-2">
      <legend className="sr-only">
        <Trans>Poll options</Trans>
      </legend>
      {poll.map((option, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- options have no identity but their place
        <div key={index} className="flex items-center gap-1">
          <input
            value={option}
            readOnly={disabled}
            dir="auto"
            onChange={(event) => onChange(editOption(poll, index, event.target.value))}
            placeholder={t`Option ${index + 1}`}
            aria-label={t`Option ${index + 1}`}
            className="h-11 min-w-0 flex-1 rounded-xl border border-border bg-transparent px-4 outline-none focus:border-primary focus:ring-3 focus:ring-primary/20"
          />
          <IconButton
            label={t`Remove option ${index + 1}`}
            disabled={disabled}
            onClick={ignoreDoubleClick(() => onChange(removeOption(poll, index)))}
            className="text-muted-foreground"
          >
            <X size={18} aria-hidden />
          </IconButton>
        </div>
      ))}
      <div className="flex min-h-9 items-center justify-between gap-4">
        {poll.length < MAX_OPTIONS ? (
          <button
            type="button"
            disabled={disabled}
            onClick={() => onChange(addOption(poll))}
            className="-ms-2 inline-flex h-9 items-center gap-1.5 rounded-full px-3 text-sm font-semibold text-primary-strong hover:bg-muted"
          >
            <Plus size={16} aria-hidden />
            <Trans>Add option</Trans>
          </button>
        ) : (
          <span />
        )}
        <p role="status" className="text-sm text-muted-foreground">
          {problem}
        </p>
      </div>
    </fieldset>
  );
}
