import { Link } from "wouter";

/** The ways to the terms and to what is kept about people. */
export function LegalLinks() {
  return (
    <>
      <Link href="/terms" className="hover:text-ink hover:underline">
        Terms
      </Link>
      <Link href="/privacy" className="hover:text-ink hover:underline">
        Privacy
      </Link>
    </>
  );
}
