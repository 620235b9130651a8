import { Trans } from "@lingui/react/macro";
import { Link } from "wouter";
import { getContactUrl, site } from "@/lib/site";
import { useStore } from "@/lib/state/store";

const linkClass =
  "hover:text-foreground hover:underline pointer-coarse:min-w-11 pointer-coarse:py-3";

/** Links to the pages about the network, and to its operator; rules, imprint and contact only where there are some. */
export function LegalLinks() {
  const { pages, contact } = useStore(site);
  return (
    <>
      {pages.includes("rules") && (
        <Link href="/rules" className={linkClass}>
          <Trans>Rules</Trans>
        </Link>
      )}
      <Link href="/terms" className={linkClass}>
        <Trans>Terms</Trans>
      </Link>
      <Link href="/privacy" className={linkClass}>
        <Trans>Privacy</Trans>
      </Link>
      {pages.includes("imprint") && (
        <Link href="/imprint" className={linkClass}>
          <Trans>Imprint</Trans>
        </Link>
      )}
      {contact !== null && (
        <a href={getContactUrl(contact)} rel="noopener noreferrer" className={linkClass}>
          <Trans>Contact</Trans>
        </a>
      )}
    </>
  );
}
