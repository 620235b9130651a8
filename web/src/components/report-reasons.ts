/** What the reasons for a report are called, in the order in which they are offered. */
export const reportReasons = {
  spam: "Spam",
  harassment: "Harassment or threats",
  hate: "Hate speech or discrimination",
  violence: "Violence",
  sexual: "Nudity or sexual content",
  impersonation: "Impersonation",
  other: "Something else",
} as const;

/** How many characters a note to moderators, or one of theirs, can have. */
export const MAX_NOTE_LENGTH = 1_000;

/** The length of a note as the server counts it. */
export function noteLength(note: string): number {
  return [...note.trim()].length;
}
