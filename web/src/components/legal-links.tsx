import { Link } from "wouter";

const linkClass =
  "hover:text-foreground hover:underline pointer-coarse:min-w-11 pointer-coarse:py-3";

export function LegalLinks() {
  return (
    <>
      <Link href="/terms" className={linkClass}>
        Terms
      </Link>
      <Link href="/privacy" className={linkClass}>
        Privacy
      </Link>
    </>
  );
}
