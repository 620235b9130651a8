import { X } from "lucide-react";
import { Dialog } from "radix-ui";
import { IconButton } from "./button";
import type { DrawerProps } from "./drawer";
import { useReturnFocus } from "./use-return-focus";

/** What a `Drawer` shows. */
export default function DrawerPanel({ open, onOpenChange, title, children }: DrawerProps) {
  const returnFocus = useReturnFocus(open);
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 animate-fade bg-[oklch(0.12_0.01_60/0.55)]" />
        <Dialog.Content
          aria-describedby={undefined}
          onCloseAutoFocus={returnFocus}
          className="fixed inset-y-0 left-0 z-40 flex w-[min(320px,84vw)] animate-drawer flex-col overflow-y-auto border-r border-line bg-paper p-5 outline-none"
        >
          <Dialog.Title className="sr-only">{title}</Dialog.Title>
          <Dialog.Close asChild>
            <IconButton label="Close menu" className="absolute top-4 right-4">
              <X size={20} aria-hidden />
            </IconButton>
          </Dialog.Close>
          {children}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
