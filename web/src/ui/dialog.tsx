import { t } from "@lingui/core/macro";
import { X } from "lucide-react";
import { Dialog as Primitive } from "radix-ui";
import type { ReactNode } from "react";
import { cx } from "@/lib/dom/cx";
import { useOverlay } from "@/lib/navigation/overlay-history";
import { IconButton } from "./button";

interface Props {
  onClose: () => void;
  /** Closes it when the member goes back; without it, Back does what "Close" does. */
  onBack?: () => void;
  title: string;
  /** Read out after the title; not shown. */
  description?: string;
  /** A wide dialog for writing, or a narrow one for a short form. */
  width?: "narrow" | "wide";
  children: ReactNode;
}

/** A modal dialog: traps focus, closes on Escape and gives focus back to where it came from. */
export default function Dialog(props: Props) {
  const { onClose, onBack = onClose, title, description, width, children } = props;
  const overlay = useOverlay(onBack);
  return (
    <Primitive.Root open onOpenChange={onClose}>
      <Primitive.Portal>
        <Primitive.Overlay className="fixed inset-0 z-40 animate-fade overflow-y-auto bg-scrim">
          <div className="flex min-h-full items-start justify-center p-3 pt-[max(12px,8dvh)] sm:p-6 sm:pt-[12dvh]">
            <Primitive.Content
              {...overlay}
              {...(description === undefined && { "aria-describedby": undefined })}
              // A toast would keep the first Escape for itself; here it means the dialog, and not
              // the one that it was opened from.
              onKeyDown={(event) => {
                if (event.key !== "Escape") return;
                event.stopPropagation();
                onClose();
              }}
              className={cx(
                "relative w-full animate-rise rounded-3xl border border-border bg-popover shadow-float outline-none",
                width === "wide" ? "max-w-[580px]" : "max-w-[440px]",
              )}
            >
              <Primitive.Title className="px-6 pt-6 pe-16 font-serif text-dialog-title text-balance">
                {title}
              </Primitive.Title>
              {description !== undefined && (
                <Primitive.Description className="sr-only">{description}</Primitive.Description>
              )}
              {children}
              <Primitive.Close asChild>
                <IconButton label={t`Close`} className="absolute top-5 end-4">
                  <X size={20} aria-hidden />
                </IconButton>
              </Primitive.Close>
            </Primitive.Content>
          </div>
        </Primitive.Overlay>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
