import { msg, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useEffect, useState } from "react";
import { useSearch } from "wouter/use-browser-location";
import { SessionEndNotice } from "@/features/auth/session-end-notice";
import { WaitlistForm } from "@/features/waitlist/waitlist-form";
import { setAppBadge } from "@/lib/dom/app-badge";
import { runAtPageEntry } from "@/lib/navigation/overlay-history";
import { BackgroundVideo } from "@/ui/background-video";
import { prefetchOverlays, lazyOverlay } from "@/ui/lazy-overlay";
import { Logo } from "@/ui/logo";
import { LegalLinks } from "@/components/legal-links";
import { defaultSite, site } from "@/lib/site";
import { useStore } from "@/lib/state/store";
import { cx } from "@/lib/dom/cx";

const LoginDialog = lazyOverlay(() => import("@/features/auth/login-dialog"));

/** From here on a headline is set smaller. */
const LONG_HEADLINE_LENGTH = 30;

const stats = [
  { value: "100%", label: msg`Human` },
  { value: "0", label: msg`Bots` },
  { value: "∞", label: msg`Real` },
];

/** The landing page, which visitors see at any URL. */
export default function Landing() {
  const { headline, tagline, pages, contact, registration } = useStore(site);
  useEffect(prefetchOverlays, []);
  useEffect(() => setAppBadge(0), []);
  const query = new URLSearchParams(useSearch());
  const wantsLogin = query.get("login") === "1";
  /** From an invite link of the operator. */
  const inviteCode = query.get("invite");
  /** The first part of the dialog that is open, if it is. */
  const [mode, setMode] = useState<"signup" | "login" | null>(
    inviteCode ? "signup" : wantsLogin ? "login" : null,
  );

  function close() {
    setMode(null);
    if (wantsLogin || inviteCode) {
      runAtPageEntry(() => history.replaceState(history.state, "", location.pathname));
    }
  }

  return (
    <div className="relative isolate flex min-h-dvh flex-col overflow-hidden bg-landing text-landing-foreground">
      <div aria-hidden className="absolute inset-0 -z-10 bg-landing-shade" />
      <header className="flex items-center justify-between gap-4 px-5 py-5 sm:px-10 sm:py-8">
        <Logo size={26} />
        <div className="flex shrink-0 items-center gap-3">
          <BackgroundVideo isCovered={mode !== null} />
          <button
            type="button"
            onClick={() => setMode("signup")}
            className="h-11 rounded-full border border-white/35 bg-landing-glass px-6 font-semibold backdrop-blur-md transition-colors hover:border-white/70 hover:bg-landing-glass-strong"
          >
            <Trans>Login</Trans>
          </button>
        </div>
      </header>
      <SessionEndNotice className="mx-5 max-w-xl rounded-2xl border border-white/35 bg-landing-glass-strong px-5 py-3 backdrop-blur-md sm:mx-10" />
      <main className="flex flex-1 flex-col justify-end gap-10 px-5 pb-8 sm:px-10 sm:pb-12">
        <div>
          <h1
            className={cx(
              "font-serif text-balance wrap-anywhere",
              headline.length > LONG_HEADLINE_LENGTH
                ? "max-w-[18ch] text-headline-long"
                : "max-w-[12ch] text-headline",
            )}
          >
            {headline === defaultSite.headline ? (
              <Trans>
                The <em>human</em> network
              </Trans>
            ) : (
              <bdi>{headline}</bdi>
            )}
          </h1>
          <p className="mt-5 max-w-xl text-lg wrap-anywhere text-landing-lead sm:mt-7 sm:text-2xl">
            {tagline === defaultSite.tagline ? (
              t`Real voices. Real connections. No bots.`
            ) : (
              <bdi>{tagline}</bdi>
            )}
          </p>
        </div>
        <div className="flex flex-col gap-10 lg:flex-row lg:items-end lg:justify-between">
          <div className="w-full max-w-md">
            {registration === "open" ? (
              <WaitlistForm />
            ) : (
              <p className="text-lg">
                <Trans>Registration is closed for now.</Trans>
              </p>
            )}
          </div>
          <dl className="flex gap-8 border-t border-white/25 pt-5 sm:gap-14 lg:border-t-0 lg:pt-0">
            {stats.map(({ value, label }) => (
              <div key={value} className="flex flex-col-reverse">
                <dt className="text-body-sm text-landing-muted-foreground">{t(label)}</dt>
                <dd className="font-serif text-4xl leading-none sm:text-5xl">{value}</dd>
              </div>
            ))}
          </dl>
        </div>
      </main>
      {(pages.length > 0 || contact !== null) && (
        <footer className="flex flex-wrap gap-x-6 gap-y-2 px-5 pb-6 text-body-sm text-landing-muted-foreground [&_a:hover]:text-landing-foreground sm:px-10">
          <LegalLinks />
        </footer>
      )}
      {mode && (
        <LoginDialog
          onClose={close}
          initialMode={mode}
          inviteCode={inviteCode?.toUpperCase() ?? ""}
        />
      )}
    </div>
  );
}
