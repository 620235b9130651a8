import { Link, useRoute } from "wouter";
import { useMember } from "@/api/session";
import { useMedia } from "@/lib/use-media";
import { LegalLinks } from "@/ui/legal-links";
import { RailDiscover } from "./rail-discover";

/** Where the column is shown; smaller screens do not fetch what stands in it. */
const WIDE = "(min-width: 80rem)";

/** The right column of wide screens. */
export function Rail() {
  const { invitesAvailable } = useMember();
  const wide = useMedia(WIDE);
  const [onDiscover] = useRoute("/discover");
  if (!wide) return null;
  return (
    <aside
      aria-label="More"
      className="sticky top-0 flex h-dvh w-80 shrink-0 flex-col gap-8 overflow-y-auto py-5 pr-1 pl-8 [scrollbar-width:thin]"
    >
      {!onDiscover && <RailDiscover />}
      <section aria-labelledby="rail-invites">
        <h2 id="rail-invites" className="font-serif text-[26px] leading-8">
          Bring someone real
        </h2>
        <p className="mt-1.5 text-[15px] text-muted">
          {invitesAvailable > 0
            ? `You have ${invitesAvailable} ${invitesAvailable === 1 ? "invite" : "invites"} to give to a friend.`
            : "You have given all your invites. 3 more come next month."}
        </p>
        <Link
          href="/invites"
          className="mt-3 inline-block font-semibold text-ember-deep hover:underline"
        >
          Invite Friends
        </Link>
      </section>
      <footer className="flex gap-5 border-t border-line pt-5 text-sm text-muted">
        <LegalLinks />
      </footer>
    </aside>
  );
}
