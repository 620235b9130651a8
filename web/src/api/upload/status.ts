/** Where an upload is. */
export type Phase =
  | "waiting"
  | "preprocessing"
  | "uploading"
  | "postprocessing"
  | "complete"
  | "error";

/** What a member is told about an upload. */
export interface UploadStatus {
  phase: Phase;
  /** Whether the member holds it; only while uploading. */
  paused: boolean;
  /** How much of the file is out, 0 to 100. */
  percent: number;
  /** Why it failed. */
  detail: string | null;
}

/** An upload that nobody began yet. */
export const WAITING: UploadStatus = { phase: "waiting", paused: false, percent: 0, detail: null };

/** What the uploader keeps about a file, as far as it matters here. */
export interface FileState {
  error?: string | null | undefined;
  isPaused?: boolean | undefined;
  progress: {
    uploadStarted?: number | null | undefined;
    uploadComplete?: boolean | undefined;
    complete?: boolean | undefined;
    percentage?: number | undefined;
    preprocess?: unknown;
    postprocess?: unknown;
  };
}

/** Reads the status from the uploader's state of a file. */
export function statusOf({ error, isPaused = false, progress }: FileState): UploadStatus {
  const phase = error ? "error" : phaseOf(progress);
  return {
    phase,
    paused: phase === "uploading" && isPaused,
    percent: progress.percentage ?? 0,
    detail: error ?? null,
  };
}

function phaseOf(progress: FileState["progress"]): Phase {
  if (progress.preprocess) return "preprocessing";
  // Until the last step said that it is done, it is not: a failed one may be tried again.
  if (progress.uploadComplete) {
    return progress.complete && !progress.postprocess ? "complete" : "postprocessing";
  }
  return progress.uploadStarted ? "uploading" : "waiting";
}
