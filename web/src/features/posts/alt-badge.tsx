import { Popover } from "radix-ui";

/** Says that an image is described, and shows the description. */
export function AltBadge({ alt }: { alt: string }) {
  return (
    <Popover.Root>
      <Popover.Trigger
        aria-label="ALT, read the image's description"
        className="absolute bottom-2 left-2 h-7 rounded-full bg-shade px-2.5 text-xs font-semibold tracking-wide text-on-shade transition-opacity hover:opacity-85"
      >
        ALT
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          side="top"
          align="start"
          sideOffset={8}
          collisionPadding={12}
          aria-label="Description of the image"
          className="z-30 max-h-[50dvh] w-max max-w-[min(360px,calc(100vw-24px))] animate-rise overflow-y-auto rounded-2xl border border-line bg-raised px-4 py-3 text-[15px] shadow-float outline-none"
        >
          <p dir="auto" className="whitespace-pre-wrap [overflow-wrap:anywhere]">
            {alt}
          </p>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
