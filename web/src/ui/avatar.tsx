import { useState } from "react";
import { cx } from "@/lib/dom/cx";
import { firstGrapheme } from "@/lib/text/graphemes";
import { getImageSources } from "@/lib/images/image-srcset";

const sizes = {
  small: { className: "size-9 text-body-sm font-semibold", imgSizes: "36px", pixels: 36 },
  medium: { className: "size-11 text-body-lg font-semibold", imgSizes: "44px", pixels: 44 },
  huge: {
    pixels: 120,
    className: "size-24 font-serif text-5xl sm:size-30 sm:text-6xl",
    imgSizes: "(min-width: 640px) 120px, 96px",
  },
};

// Quiet earth tones; the username selects one.
const tintClasses = [
  "bg-tint-orange text-tint-orange-foreground",
  "bg-tint-red text-tint-red-foreground",
  "bg-tint-green text-tint-green-foreground",
  "bg-tint-blue text-tint-blue-foreground",
  "bg-tint-purple text-tint-purple-foreground",
  "bg-tint-yellow text-tint-yellow-foreground",
];

function getTintClass(username: string): string | undefined {
  const sum = [...username].reduce(
    (hash, character) => (hash * 31 + character.charCodeAt(0)) % 9973,
    0,
  );
  return tintClasses[sum % tintClasses.length];
}

interface Props {
  user: { username: string; displayName: string; profileImageUrl?: string | null | undefined };
  size?: keyof typeof sizes;
  className?: string;
}

/** A member's profile image, or the first letter of the name. Decorative, because the name is beside it. */
export function Avatar({ user, size = "medium", className }: Props) {
  const [failedUrl, setFailedUrl] = useState<string | null>(null);
  const url = user.profileImageUrl;
  return (
    <span
      aria-hidden
      className={cx(
        "inline-flex shrink-0 items-center justify-center overflow-hidden rounded-full select-none",
        user.username === "" ? "bg-border" : getTintClass(user.username),
        sizes[size].className,
        className,
      )}
    >
      {url && url !== failedUrl ? (
        <img
          sizes={sizes[size].imgSizes}
          {...getImageSources(url, "avatar")}
          alt=""
          width={sizes[size].pixels}
          height={sizes[size].pixels}
          // The one large picture of a page is at its top.
          loading={size === "huge" ? "eager" : "lazy"}
          decoding="async"
          draggable={false}
          onError={() => setFailedUrl(url)}
          className="size-full object-cover"
        />
      ) : (
        <span className="leading-none uppercase">
          {firstGrapheme(user.displayName.trim() || user.username)}
        </span>
      )}
    </span>
  );
}
