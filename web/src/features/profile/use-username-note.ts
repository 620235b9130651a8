import { useQuery } from "@tanstack/react-query";
import { usernameAvailability } from "@/api/own-profile";
import type { Availability } from "@/api/types";
import { useDebounced } from "@/lib/use-debounced";
import { cleanUsername, MIN_USERNAME_LENGTH } from "@/lib/username";

const PAUSE = 300;

/** What to say under a username that is being typed. */
export interface UsernameNote {
  hint: string;
  error?: string;
}

/** Asks the server about a username once the typing pauses. */
export function useUsernameNote(typed: string): UsernameNote {
  const name = cleanUsername(typed);
  const settled = useDebounced(name, PAUSE);
  const { data } = useQuery({
    ...usernameAvailability(settled),
    enabled: settled.length >= MIN_USERNAME_LENGTH,
  });
  return usernameNote(name, name === settled ? data : undefined);
}

/** The note for a name and what the server said about it, if it has been asked. */
export function usernameNote(name: string, answer: Availability | undefined): UsernameNote {
  if (name.length < MIN_USERNAME_LENGTH || !answer) {
    return { hint: "3 to 20 letters a-z, digits or underscores." };
  }
  const hint = `@${name} is available.`;
  if (answer.available) return { hint };
  return { hint, error: answer.message ?? "This username cannot be chosen." };
}
