import { useMutation } from "@tanstack/react-query";
import { hasStatus, sentenceOf } from "@/api/error";
import { showFailure } from "@/api/failure";
import { refreshInvites, revokeInvite } from "@/api/invites";
import { toast } from "@/lib/toast";

const failure = "Failed to revoke invite code. Please try again.";

/** Takes back an invite code; `onRevoked` runs once it is out of the list. */
export function useRevokeInvite(onRevoked: () => void) {
  return useMutation({
    mutationFn: revokeInvite,
    async onSuccess() {
      await refreshInvites();
      onRevoked();
      toast({ title: "Invite revoked" });
    },
    onError(error) {
      // A friend was faster: the list shows who.
      if (hasStatus(error, 409)) void refreshInvites();
      showFailure(error, sentenceOf(error, failure));
    },
  });
}
