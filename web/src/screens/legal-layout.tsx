import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { Logo } from "@/ui/logo";
import { LegalLinks } from "@/components/legal-links";

export function LegalLayout({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="mx-auto max-w-[640px] px-6 pb-24">
      <header className="py-7">
        <Link href="/" className="inline-flex h-11 items-center" aria-label={t`Kith, home`}>
          <Logo size={24} />
        </Link>
      </header>
      <main>
        <h1 className="pt-6 font-serif text-6xl leading-tight">{title}</h1>
        <p className="mt-2 border-b border-border pb-8 text-muted-foreground">
          <Trans>In force since November 2026</Trans>
        </p>
        <div className="[&_h2]:mt-10 [&_h2]:text-lg [&_h2]:font-semibold [&_p]:mt-2 [&_p]:text-body-lg [&_p]:leading-7">
          {children}
        </div>
      </main>
      <footer className="mt-14 flex gap-6 border-t border-border pt-6 text-muted-foreground">
        <LegalLinks />
      </footer>
    </div>
  );
}
