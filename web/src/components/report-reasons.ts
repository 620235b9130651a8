import { t } from "@lingui/core/macro";
import type { ReportReason } from "@/api/types";

/** The names of the reasons for a report, in the order of the form. */
export function getReportReasons(): Record<ReportReason, string> {
  return {
    spam: t`Spam`,
    harassment: t`Harassment or threats`,
    hate: t`Hate speech or discrimination`,
    violence: t`Violence`,
    sexual: t`Nudity or sexual content`,
    impersonation: t`Impersonation`,
    other: t`Something else`,
  };
}

/** How many characters a note to moderators, or one of theirs, can have. */
export const MAX_NOTE_LENGTH = 1_000;

/** The length of a note as the server counts it. */
export function noteLength(note: string): number {
  return [...note.trim()].length;
}
