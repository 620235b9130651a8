import { useMutation } from "@tanstack/react-query";
import { ApiError } from "@/api/error";
import { showFailure } from "@/api/failure";
import { MemberForgotten } from "@/api/member-calls";
import { updateProfile } from "@/api/own-profile";
import { refreshMe } from "@/api/session";
import { toast } from "@/lib/toast";

/** Saves changes to my profile and says how that went. */
export function useUpdateProfile() {
  return useMutation({
    mutationFn: updateProfile,
    onSuccess: () =>
      toast({
        title: "Profile updated",
        description: "Your profile has been updated successfully.",
      }),
    onError(error) {
      showFailure(error, "Failed to update profile. Please try again.");
      // It may have been saved all the same, and the next form must not begin with what was before.
      const isRefused = error instanceof ApiError && error.status < 500;
      if (!isRefused && !(error instanceof MemberForgotten)) void refreshMe();
    },
  });
}
