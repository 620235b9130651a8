import { Link } from "wouter";
import { useMember } from "@/api/session";
import { layouts } from "@/lib/layout";
import { useMedia } from "@/lib/use-media";
import { LegalLinks } from "@/ui/legal-links";
import { RailDiscover } from "./rail-discover";

/** The right column of wide screens; others do not fetch what it shows. */
export function Rail() {
  const { invitesAvailable, invitesFrozen } = useMember();
  const wide = useMedia(layouts.rail);
  if (!wide) return null;
  return (
    <aside
      aria-label="More"
      className="sticky top-0 flex h-dvh w-72 shrink-0 flex-col gap-8 overflow-y-auto py-5 pr-1 pl-6 [scrollbar-width:thin] xl:w-80 xl:pl-8"
    >
      <RailDiscover />
      <section aria-labelledby="rail-invites">
        <h2 id="rail-invites" className="font-serif text-[26px] leading-8">
          Bring someone real
        </h2>
        <p className="mt-1.5 text-[15px] text-muted">
          {invitesFrozen
            ? "A moderator has frozen your invites."
            : invitesAvailable > 0
              ? `You have ${invitesAvailable} ${invitesAvailable === 1 ? "invite" : "invites"} to give to a friend.`
              : "You have given all your invites. 3 more come next month."}
        </p>
        <Link
          href="/invites"
          className="mt-0.5 inline-flex h-11 items-center font-semibold text-ember-deep hover:underline"
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
