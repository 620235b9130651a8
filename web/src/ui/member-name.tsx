import { Link } from "wouter";

interface Props {
  member: { username: string; displayName: string };
}

/** A member's name, leading to their profile. */
export function MemberName({ member }: Props) {
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
