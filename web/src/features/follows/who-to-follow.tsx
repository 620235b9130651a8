import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useId } from "react";
import { Link } from "wouter";
import { suggestionsQuery } from "@/api/users";
import { CardFailure } from "@/ui/card-failure";
import { MemberRow, MemberSkeletons } from "./member-list";

interface Props {
  most: number;
  except?: string | undefined;
  /** Whether something more important is fetched first. */
  waiting?: boolean;
  /** In a narrow column, which has its own margins. */
  narrow?: boolean;
  more?: ReactNode;
}

export function WhoToFollow({ most, except, waiting = false, narrow = false, more }: Props) {
  const { data, error, refetch } = useQuery({ ...suggestionsQuery, enabled: !waiting });
  const rows = data?.filter(({ username }) => username !== except).slice(0, most);
  const headingId = useId();
  const margin = narrow ? "" : "px-4 sm:px-5";
  return (
    <section aria-labelledby={headingId}>
      <h2 id={headingId} className={`${margin} font-serif text-[26px] leading-8`}>
        Who to follow
      </h2>
      {rows && rows.length > 0 && (
        <>
          <ul>
            {rows.map((user) => (
              <MemberRow key={user.id} user={user} why={user.reason.message} narrow={narrow} />
            ))}
          </ul>
          {more}
        </>
      )}
      <div className={margin}>
        {rows?.length === 0 && (
          <p className="py-3 text-[15px] text-muted">
            <span>No suggestions available.</span>{" "}
            {!narrow && (
              <Link href="/invites" className="font-semibold text-ember-deep hover:underline">
                Invite Friends
              </Link>
            )}
          </p>
        )}
        {!data && error && <CardFailure error={error} onRetry={() => void refetch()} />}
      </div>
      {!data && !error && (
        <MemberSkeletons label="Loading suggestions..." count={Math.min(most, 4)} narrow={narrow} />
      )}
    </section>
  );
}
