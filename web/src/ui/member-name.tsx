import { Link } from "wouter";
import type { MemberRef } from "@/api/types";

export function MemberName({ member }: { member: MemberRef }) {
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
