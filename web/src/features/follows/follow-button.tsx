import { useQuery } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { showFailure } from "@/api/failure";
import { followStatus } from "@/api/follows";
import { Button } from "@/ui/button";
import { follows } from "./follow-queue";

interface Props {
  userId: string;
  username: string;
}

const failure = "Failed to update follow status. Please try again.";

/** Follows a member or stops following; the caller leaves it out for oneself. */
export function FollowButton({ userId, username }: Props) {
  const { data, isError, refetch } = useQuery(followStatus(userId));
  const wish = useSyncExternalStore(follows.subscribe, () => follows.wish(userId));
  if (isError) {
    return (
      <Button look="outline" size="small" onClick={() => void refetch()}>
        Retry
      </Button>
    );
  }
  if (!data) {
    return (
      <Button look="outline" size="small" disabled>
        Loading...
      </Button>
    );
  }
  const following = wish ?? data.isFollowing;
  return (
    <Button
      look={following ? "outline" : "ink"}
      size="small"
      aria-pressed={following}
      aria-label={`${following ? "Following" : "Follow"} @${username}`}
      className="min-w-26"
      onClick={() =>
        follows.set(userId, !following, data.isFollowing, (error) => showFailure(error, failure))
      }
    >
      {following ? "Following" : "Follow"}
    </Button>
  );
}
