import { useMutation } from "@tanstack/react-query";
import { sentenceOf } from "@/api/error";
import { showFailure } from "@/api/failure";
import { createInvite } from "@/api/invites";
import { keys } from "@/api/keys";
import { queryClient } from "@/api/query-client";
import { toast } from "@/lib/toast";

const failure = "Failed to create invite code. You may have reached your limit.";

/** Makes an invite code. */
export function useCreateInvite() {
  return useMutation({
    mutationFn: createInvite,
    async onSuccess() {
      toast({ title: "Invite created" });
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: keys.invites }),
        queryClient.invalidateQueries({ queryKey: keys.me }),
      ]);
    },
    onError: (error) => showFailure(error, sentenceOf(error, failure)),
  });
}
