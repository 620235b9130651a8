import { t } from "@lingui/core/macro";
import { lazyOverlay } from "@/ui/lazy-overlay";
import { useLazyMenu } from "@/ui/use-lazy-menu";

const AltTextPopover = lazyOverlay(() => import("./alt-text-popover"));

export function AltBadge({ alt }: { alt: string }) {
  const { menu, buttonProps } = useLazyMenu(AltTextPopover);
  return (
    <span className="absolute bottom-2 start-2 flex">
      <button
        {...buttonProps}
        type="button"
        aria-haspopup="dialog"
        aria-label={t`ALT, read the image's description`}
        className="hit-area relative h-7 rounded-full bg-overlay px-2.5 text-xs font-semibold tracking-wide text-overlay-foreground transition-opacity hover:opacity-85"
      >
        ALT
      </button>
      {menu && <AltTextPopover {...menu} alt={alt} />}
    </span>
  );
}
