import { cx } from "@/lib/dom/cx";
import { defaultSite, site } from "@/lib/site";
import { useStore } from "@/lib/state/store";

/** The size of the word beside a mark. A class, since pages that are sent ahead hold no inline style. */
const wordSizeClasses = {
  21: "text-logo-21",
  24: "text-logo-24",
  25: "text-logo-25",
  26: "text-logo-26",
  36: "text-logo-36",
  40: "text-logo-40",
};

interface Props {
  /** Height of the mark in pixels; the word scales with it. */
  size: keyof typeof wordSizeClasses;
  markOnly?: boolean;
}

/**
 * The operator's icon, or a large light that a smaller one has found, as in the favicon; and the name. The first
 * screen is built before the network is named, so `start.js` hides its word where it has another name.
 */
export function Logo({ size, markOnly = false }: Props) {
  const { name, iconUrl } = useStore(site);
  return (
    <span className="inline-flex max-w-full min-w-0 items-center gap-2.5">
      {iconUrl ? (
        <img
          src={iconUrl}
          alt={name}
          height={size * 1.2}
          width={size * 1.2}
          className="shrink-0 rounded-lg object-cover"
        />
      ) : (
        <svg
          viewBox="1.5 1.5 29 29"
          height={size * 1.2}
          width={size * 1.2}
          role="img"
          aria-label={name}
          className="shrink-0"
        >
          <circle cx="12.6" cy="19.4" r="11" fill="#d24a1a" />
          <circle cx="21.6" cy="10.4" r="8.5" fill="#f29b38" />
          <path
            d="M13.335 8.425a11 11 0 0 1 10.24 10.24a8.5 8.5 0 0 1-10.24-10.24z"
            fill="#ffe3b0"
          />
        </svg>
      )}
      {!markOnly && (
        <span
          aria-hidden
          className={cx(
            // The padding keeps the ends of letters from being clipped, and takes no room.
            "-my-[0.125em] -me-[0.05em] truncate pt-[0.125em] pe-[0.05em] pb-[0.205em] font-serif leading-none tracking-tight [[data-renamed]_[inert]_&]:invisible",
            wordSizeClasses[size],
          )}
        >
          {name === defaultSite.name ? "kith" : name}
        </span>
      )}
    </span>
  );
}
