import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { X } from "lucide-react";
import { Dialog } from "radix-ui";
import type { ReactNode } from "react";
import { useOverlay } from "@/lib/navigation/overlay-history";
import { IconButton } from "./button";

/** A panel that slides in from the left edge; the menu of small screens. */
export default function Drawer({
  onClose,
  children,
}: {
  onClose: () => void;
  children: ReactNode;
}) {
  const overlay = useOverlay(onClose);
  return (
    <Dialog.Root open onOpenChange={onClose}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 animate-fade bg-scrim" />
        <Dialog.Content
          {...overlay}
          aria-describedby={undefined}
          className="fixed inset-y-0 start-0 z-40 flex w-[min(320px,84vw)] animate-drawer flex-col overflow-y-auto border-e border-border bg-background p-5 outline-none"
        >
          <Dialog.Title className="sr-only">
            <Trans>Menu</Trans>
          </Dialog.Title>
          <Dialog.Close asChild>
            <IconButton label={t`Close menu`} className="absolute top-4 end-4">
              <X size={20} aria-hidden />
            </IconButton>
          </Dialog.Close>
          {children}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
