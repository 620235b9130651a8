import { useMutation } from "@tanstack/react-query";
import { showFailure } from "@/api/failure";
import { updateProfile } from "@/api/own-profile";
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
    onError: (error) => showFailure(error, "Failed to update profile. Please try again."),
  });
}
