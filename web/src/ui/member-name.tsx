import { Link } from "wouter";
import type { UserSummary } from "@/api/types";

export function MemberName({ member }: { member: UserSummary }) {
  return (
    <Link
      href={`/profile/${member.username}`}
      dir="auto"
      className="max-w-full min-w-0 truncate font-semibold hover:underline"
    >
      {member.displayName || member.username}
    </Link>
  );
}
