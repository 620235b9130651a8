import { t } from "@lingui/core/macro";
import { countGraphemes } from "@/lib/text/graphemes";

export const MAX_OPTIONS = 4;
const MIN_OPTIONS = 2;
const MAX_OPTION_LENGTH = 50;

export type PollDraft = readonly string[] | null;

export function togglePoll(poll: PollDraft): PollDraft {
  return poll === null ? ["", ""] : null;
}

export function addOption(poll: PollDraft): PollDraft {
  if (poll === null || poll.length >= MAX_OPTIONS) return poll;
  return [...poll, ""];
}

export function removeOption(poll: PollDraft, index: number): PollDraft {
  if (poll === null || poll.length <= 1) return null;
  return poll.filter((_, optionIndex) => optionIndex !== index);
}

export function editOption(poll: PollDraft, index: number, text: string): PollDraft {
  return poll && poll.map((option, optionIndex) => (optionIndex === index ? text : option));
}

export function pollOptions(poll: PollDraft): string[] {
  return (poll ?? []).map((option) => option.trim()).filter((option) => option !== "");
}

/** Why the poll can't be published, as a sentence; null if it can, or if there is none. */
export function pollProblem(poll: PollDraft): string | null {
  const options = pollOptions(poll);
  if (options.length === 0) return null;
  if (options.length < MIN_OPTIONS) return t`A poll needs at least two options.`;
  if (options.some((option) => countGraphemes(option) > MAX_OPTION_LENGTH)) {
    return t`An option can have at most ${MAX_OPTION_LENGTH} characters.`;
  }
  const distinct = new Set(options.map((option) => option.normalize("NFC").toLowerCase()));
  return distinct.size < options.length ? t`Each option must be different.` : null;
}
