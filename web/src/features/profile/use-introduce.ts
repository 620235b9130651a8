import { useMutation } from "@tanstack/react-query";
import { fieldsOf, hasStatus, sentenceOf } from "@/api/error";
import { showFailure } from "@/api/failure";
import { chooseUsername, updateProfile } from "@/api/own-profile";
import { refreshMe } from "@/api/session";
import { focusMain } from "@/lib/focus-main";
import { toast } from "@/lib/toast";

interface Introduction {
  username: string;
  /** Blank to leave it as it is. */
  displayName: string;
}

/**
 * Chooses username and display name together. The username comes last: it can be chosen only once,
 * and then nothing is left that could fail.
 */
export function useIntroduce() {
  return useMutation({
    async mutationFn({ username, displayName }: Introduction) {
      if (displayName.trim() !== "") await updateProfile({ displayName });
      await chooseUsername(username);
    },
    onSuccess(_, { username }) {
      // The form that had the focus is gone.
      focusMain();
      toast({ title: "Welcome to Kith", description: `You are @${username} now.` });
    },
    onError(error) {
      // A conflict: taken by somebody else, or chosen already, in another tab.
      if (hasStatus(error, 409)) void refreshMe();
      if (Object.keys(fieldsOf(error)).length > 0) return;
      showFailure(error, sentenceOf(error, "Failed to update profile. Please try again."));
    },
  });
}
