import { Link } from "wouter";

const look = "hover:text-foreground hover:underline pointer-coarse:min-w-11 pointer-coarse:py-3";

export function LegalLinks() {
  return (
    <>
      <Link href="/terms" className={look}>
        Terms
      </Link>
      <Link href="/privacy" className={look}>
        Privacy
      </Link>
    </>
  );
}
