import { t } from "@lingui/core/macro";
import type { UploadStatus } from "@/api/upload/upload";
import { cx } from "@/lib/dom/cx";

function getPhaseLabel(phase: UploadStatus["phase"]): string {
  switch (phase) {
    case "waiting":
      return t`Waiting`;
    case "preprocessing":
      return t`Preparing`;
    case "uploading":
      return t`Uploading`;
    case "postprocessing":
      return t`Finishing`;
    case "complete":
      return t`Complete`;
    case "error":
      return t`Upload failed`;
  }
}

export function getUploadLabel({ phase, paused, percent }: UploadStatus): string {
  if (phase !== "uploading") return getPhaseLabel(phase);
  return paused ? t`Paused at ${percent}%` : t`Uploading ${percent}%`;
}

interface Props {
  status: UploadStatus;
  name: string;
  className?: string;
}

/** The progress of an upload as a bar and a text. Screen readers announce each state, but not each percent. */
export function UploadProgress({ status, name, className }: Props) {
  const { phase, paused, percent } = status;
  const isDeterminate = phase === "uploading" || phase === "complete";
  return (
    <div className={className}>
      <p aria-hidden className="text-sm leading-5 tabular-nums">
        {getUploadLabel(status)}
      </p>
      <div
        role="progressbar"
        aria-label={name}
        aria-valuetext={getUploadLabel(status)}
        {...(isDeterminate && {
          "aria-valuemin": 0,
          "aria-valuemax": 100,
          "aria-valuenow": percent,
        })}
        className="mt-1.5 h-1 overflow-hidden rounded-full bg-current/25 forced-colors:bg-gray-text"
      >
        <div
          className={cx(
            "h-full rounded-full forced-colors:bg-highlight transition-[width] duration-150",
            phase === "error" ? "bg-destructive" : "bg-amber",
            (phase === "preprocessing" || phase === "postprocessing") && "animate-breathe",
          )}
          style={{ width: `${getBarWidth(status)}%` }}
        />
      </div>
      <span role="status" className="sr-only">
        {name}: {paused ? t`Paused` : getPhaseLabel(phase)}
      </span>
    </div>
  );
}

function getBarWidth({ phase, percent }: UploadStatus): number {
  if (phase === "waiting") return 0;
  if (phase === "preprocessing") return 4;
  return phase === "uploading" ? Math.max(4, percent) : 100;
}
