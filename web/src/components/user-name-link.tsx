import { Link } from "wouter";
import type { UserSummary } from "@/api/types";

export function UserNameLink({ user }: { user: UserSummary }) {
  return (
    <Link
      href={`/profile/${user.username}`}
      dir="auto"
      className="max-w-full min-w-0 truncate font-semibold hover:underline"
    >
      {user.displayName || user.username}
    </Link>
  );
}
