import { t } from "@lingui/core/macro";
import { Popover } from "radix-ui";
import { useOverlay } from "@/lib/navigation/overlay-history";
import type { OpenMenuProps } from "@/ui/use-lazy-menu";

/** The description of an image, above the button that opened it; the parent is `relative`. */
export default function AltTextPopover({
  button,
  id,
  onClose,
  alt,
}: OpenMenuProps & { alt: string }) {
  const overlay = useOverlay(onClose);
  return (
    <Popover.Root open onOpenChange={onClose}>
      <Popover.Anchor className="pointer-events-none absolute inset-0" />
      <Popover.Portal>
        <Popover.Content
          {...overlay}
          id={`${id}-menu`}
          side="top"
          align="start"
          sideOffset={8}
          collisionPadding={12}
          aria-label={t`Description of the image`}
          onInteractOutside={(event) => {
            // The button itself closes what it opened.
            if (button.current?.contains(event.target as Node)) event.preventDefault();
          }}
          className="z-30 max-h-[50dvh] w-max max-w-[min(360px,calc(100vw-24px))] animate-rise overflow-y-auto rounded-2xl border border-border bg-popover px-4 py-3 text-body-sm shadow-float outline-none"
        >
          <p dir="auto" className="whitespace-pre-wrap wrap-anywhere">
            {alt}
          </p>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
