import { Link } from "wouter";
import { useMember } from "@/api/session";
import { LegalLinks } from "@/ui/legal-links";

/** The right column of wide screens. */
export function Rail() {
  const { invitesAvailable } = useMember();
  return (
    <aside
      aria-label="More"
      className="sticky top-0 h-dvh w-80 shrink-0 overflow-y-auto py-6 pl-8 max-xl:hidden"
    >
      <section aria-labelledby="rail-invites" className="border-b border-line pb-6">
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
      <footer className="flex gap-5 pt-5 text-sm text-muted">
        <LegalLinks />
      </footer>
    </aside>
  );
}
