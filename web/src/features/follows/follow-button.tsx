import { useQuery } from "@tanstack/react-query";
import { api, bodyQuery } from "@/api/client";
import { showFailure } from "@/api/failure";
import { keys } from "@/api/keys";
import { refreshLists } from "@/api/lists";
import { markStale, queryClient, refresh } from "@/api/query-client";
import type { FollowStatus } from "@/api/types";
import { createToggleQueue } from "@/lib/state/toggle-queue";
import { Button } from "@/ui/button";

const follows = createToggleQueue({
  async send(userId, on) {
    if (on) await api.POST("/api/follows", { body: { followingId: userId } });
    else await api.DELETE("/api/follows/{userId}", { params: { path: { userId } } });
  },
  confirm(userId, isFollowing) {
    queryClient.setQueryData<FollowStatus>(keys.follow(userId), { isFollowing });
    refreshLists(keys.feeds, keys.users);
    void refresh(keys.me);
    // The rows of such a list stay where they are until the member comes to it again.
    markStale(keys.suggestions, keys.searches, keys.followLists);
  },
});

const fail = (error: unknown) =>
  showFailure(error, "Failed to update follow status. Please try again.");

/** Follows a member or stops following; the caller leaves it out for oneself. */
export function FollowButton({ userId, username }: { userId: string; username: string }) {
  const { data, isError, refetch } = useQuery(
    bodyQuery(keys.follow(userId), () =>
      api.GET("/api/follows/{userId}/status", { params: { path: { userId } } }),
    ),
  );
  const requested = follows.useRequested(userId);
  if (!data || isError) {
    return (
      <Button look="outline" size="small" disabled={!isError} onClick={() => void refetch()}>
        {isError ? "Retry" : "Loading..."}
      </Button>
    );
  }
  const following = requested ?? data.isFollowing;
  return (
    <Button
      look={following ? "outline" : "ink"}
      size="small"
      aria-pressed={following}
      aria-label={`${following ? "Following" : "Follow"} @${username}`}
      className="min-w-26"
      onClick={() => follows.set(userId, !following, data.isFollowing, fail)}
    >
      {following ? "Following" : "Follow"}
    </Button>
  );
}
