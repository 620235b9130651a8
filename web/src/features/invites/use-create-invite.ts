import { useMutation } from "@tanstack/react-query";
import { sentenceOf } from "@/api/error";
import { showFailure } from "@/api/failure";
import { createInvite, refreshInvites } from "@/api/invites";
import { toast } from "@/lib/toast";

const failure = "Failed to create invite code. You may have reached your limit.";

/** Makes an invite code. */
export function useCreateInvite() {
  return useMutation({
    mutationFn: createInvite,
    async onSuccess() {
      toast({ title: "Invite created" });
      await refreshInvites();
    },
    onError: (error) => showFailure(error, sentenceOf(error, failure)),
  });
}
