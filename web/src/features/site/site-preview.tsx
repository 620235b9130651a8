import { msg, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { ACCENT_INKS, BUILT_IN_ACCENT, deriveAccent, GROUNDS, isHexColor } from "@/lib/accent";
import type { SettingsValues } from "./settings-values";

const themes = [
  { theme: "light", title: msg`Light` },
  { theme: "dark", title: msg`Dark` },
] as const;

/** How the landing page, the tab and buttons look with what is in the form. */
export function SitePreview({ values }: { values: SettingsValues }) {
  const { name, headline, tagline, accentColor } = values;
  const accent = deriveAccent(
    isHexColor(accentColor.trim()) ? accentColor.trim() : BUILT_IN_ACCENT,
  );
  return (
    <section aria-label={t`Preview`} className="overflow-hidden rounded-2xl border border-border">
      <div className="bg-landing px-5 py-6 wrap-anywhere text-landing-foreground">
        <p className="font-semibold">{name}</p>
        <p className="mt-8 font-serif text-5xl leading-tight text-balance">
          <bdi>{headline}</bdi>
        </p>
        <p className="mt-2 text-landing-lead">
          <bdi>{tagline}</bdi>
        </p>
      </div>
      <ul className="grid grid-cols-2">
        {themes.map(({ theme, title }) => (
          <li
            key={theme}
            className="flex flex-wrap items-center gap-x-5 gap-y-3 px-5 py-4 text-sm"
            style={{ backgroundColor: GROUNDS[theme] }}
          >
            <span
              className="inline-flex h-9 items-center rounded-full px-4 font-semibold"
              style={{
                backgroundColor: accent[theme]["--primary-strong"],
                color: ACCENT_INKS[theme],
              }}
            >
              <Trans>Post</Trans>
            </span>
            <span className="font-semibold" style={{ color: accent[theme]["--primary-strong"] }}>
              {t(title)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
