import { ArrowLeft } from "lucide-react";
import type { MouseEvent } from "react";
import { Link } from "wouter";
import { goBack } from "@/lib/overlay-history";
import { cameFrom } from "@/lib/visit";

/** Leads back to `href`; if that is where the reader came from, to the place they left there. */
export function BackLink({ href, label }: { href: string; label: string }) {
  function onClick(event: MouseEvent) {
    if (event.ctrlKey || event.metaKey || event.shiftKey || cameFrom() !== href) return;
    event.preventDefault();
    goBack();
  }
  return (
    <Link
      href={href}
      onClick={onClick}
      aria-label={label}
      title={label}
      className="inline-flex size-10 items-center pointer-coarse:size-11 justify-center rounded-full transition-colors hover:bg-wash"
    >
      <ArrowLeft size={20} aria-hidden />
    </Link>
  );
}
