import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { api, apiQueryOptions } from "@/api/client";
import { handleMutationError } from "@/api/handle-mutation-error";
import { queryKeys } from "@/api/query-keys";
import { invalidateLists } from "@/api/paginated-query";
import { markStale, queryClient, invalidate } from "@/api/query-client";
import type { FollowStatus, User } from "@/api/types";
import { createToggleQueue } from "@/lib/state/toggle-queue";
import { Button } from "@/ui/button";

const followQueue = createToggleQueue({
  async send(userId, on) {
    if (on) await api.POST("/api/follows", { body: { followingId: userId } });
    else await api.DELETE("/api/follows/{userId}", { params: { path: { userId } } });
  },
  confirm(userId, isFollowing) {
    queryClient.setQueryData<FollowStatus>(queryKeys.followStatus(userId), { isFollowing });
    invalidateLists(queryKeys.feeds, queryKeys.users);
    void invalidate(queryKeys.currentUser);
    // The rows of such a list stay where they are until the member comes to it again.
    markStale(queryKeys.suggestions, queryKeys.searches, queryKeys.followLists);
  },
});

const handleFollowError = (error: unknown) =>
  handleMutationError(error, t`Failed to update follow status. Please try again.`);

/** The button for the rows of a list of users. */
export const renderFollowButton = ({ id, username }: User) => (
  <FollowButton userId={id} username={username} />
);

/** Follows a member or stops following; the caller leaves it out for oneself. */
export function FollowButton({ userId, username }: { userId: string; username: string }) {
  const { data, isError, refetch } = useQuery(
    apiQueryOptions(queryKeys.followStatus(userId), () =>
      api.GET("/api/follows/{userId}/status", { params: { path: { userId } } }),
    ),
  );
  const requested = followQueue.useRequested(userId);
  if (!data || isError) {
    return (
      <Button variant="outline" size="small" disabled={!isError} onClick={() => void refetch()}>
        {isError ? t`Retry` : t`Loading...`}
      </Button>
    );
  }
  const isFollowing = requested ?? data.isFollowing;
  return (
    <Button
      variant={isFollowing ? "outline" : "inverted"}
      size="small"
      aria-pressed={isFollowing}
      aria-label={isFollowing ? t`Following @${username}` : t`Follow @${username}`}
      className="min-w-26"
      onClick={() => followQueue.set(userId, !isFollowing, data.isFollowing, handleFollowError)}
    >
      {isFollowing ? t`Following` : t`Follow`}
    </Button>
  );
}
