import { t } from "@lingui/core/macro";
import { Link } from "wouter";
import type { UserSummary } from "@/api/types";

export function UserHandleLink({ user: { username } }: { user: UserSummary }) {
  // The name that is left of a member whose account was deleted.
  if (username === "deleted") return t`a deleted member`;
  return (
    <Link href={`/profile/${username}`} className="font-semibold hover:underline">
      <bdi>@{username}</bdi>
    </Link>
  );
}
