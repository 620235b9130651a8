import { Trans } from "@lingui/react/macro";
import { Link } from "wouter";

const linkClass =
  "hover:text-foreground hover:underline pointer-coarse:min-w-11 pointer-coarse:py-3";

export function LegalLinks() {
  return (
    <>
      <Link href="/terms" className={linkClass}>
        <Trans>Terms</Trans>
      </Link>
      <Link href="/privacy" className={linkClass}>
        <Trans>Privacy</Trans>
      </Link>
    </>
  );
}
