import { keys } from "@/api/keys";
import { sendFollow } from "@/api/follows";
import { queryClient } from "@/api/query-client";
import type { FollowStatus } from "@/api/types";
import { ToggleQueue } from "@/lib/toggle-queue";

/** Follows on their way to the server. */
export const follows = new ToggleQueue({
  send: sendFollow,
  confirm(userId, isFollowing) {
    queryClient.setQueryData<FollowStatus>(keys.follow(userId), { isFollowing });
    void queryClient.invalidateQueries({ queryKey: keys.feeds });
    void queryClient.invalidateQueries({ queryKey: keys.users });
    void queryClient.invalidateQueries({ queryKey: keys.me });
    // The rows of such a list stay where they are until the member comes to it again.
    for (const queryKey of [keys.suggestions, keys.searches, keys.followLists]) {
      void queryClient.invalidateQueries({ queryKey, refetchType: "none" });
    }
  },
});
