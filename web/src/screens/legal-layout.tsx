import { t } from "@lingui/core/macro";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { Logo } from "@/ui/logo";
import { LegalLinks } from "@/components/legal-links";
import { getSiteName } from "@/lib/site";

interface Props {
  title: string;
  /** When the text came into force or was changed. */
  since: ReactNode;
  /** Whether the operator wrote it: its language may be another than the page's. */
  isWritten?: boolean;
  children: ReactNode;
}

export function LegalLayout({ title, since, isWritten = false, children }: Props) {
  return (
    <div className="mx-auto max-w-[640px] px-6 pb-24">
      <header className="py-7">
        <Link
          href="/"
          className="inline-flex h-11 items-center"
          aria-label={t`${{ siteName: getSiteName() }}, home`}
        >
          <Logo size={24} />
        </Link>
      </header>
      <main>
        <h1 className="pt-6 font-serif text-6xl leading-tight wrap-anywhere hyphens-auto">
          {title}
        </h1>
        <p className="mt-2 border-b border-border pb-8 text-muted-foreground">{since}</p>
        <div {...(isWritten && { dir: "auto" })} className="prose-text pt-4">
          {children}
        </div>
      </main>
      <footer className="mt-14 flex flex-wrap gap-x-6 gap-y-2 border-t border-border pt-6 text-muted-foreground">
        <LegalLinks />
      </footer>
    </div>
  );
}
