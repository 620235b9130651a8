import { t } from "@lingui/core/macro";
import { AlertDialog } from "radix-ui";
import { useOverlay } from "@/lib/navigation/overlay-history";
import { Button } from "./button";

interface Props {
  title: string;
  description: string;
  action: string;
  pendingAction?: string;
  pending?: boolean;
  cancel?: string;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks before something is taken away for good. What is being done can no longer be cancelled. */
export default function ConfirmDialog(props: Props) {
  const { title, description, action, pending = false, onConfirm, onClose } = props;
  const close = () => {
    if (!pending) onClose();
  };
  const overlay = useOverlay(close);
  return (
    <AlertDialog.Root open onOpenChange={close}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className="fixed inset-0 z-40 flex animate-fade items-center justify-center overflow-y-auto bg-scrim p-4">
          <AlertDialog.Content
            {...overlay}
            // A toast would keep the first Escape for itself; here it means the dialog.
            onKeyDown={(event) => event.key === "Escape" && close()}
            className="w-full max-w-[400px] animate-rise rounded-3xl border border-border bg-popover p-6 shadow-float outline-none"
          >
            <AlertDialog.Title className="font-serif text-dialog-title text-balance">
              {title}
            </AlertDialog.Title>
            <AlertDialog.Description className="mt-2 text-muted-foreground wrap-anywhere">
              {description}
            </AlertDialog.Description>
            <div className="mt-6 flex justify-end gap-3">
              <AlertDialog.Cancel asChild>
                <Button variant="outline" aria-disabled={pending}>
                  {props.cancel ?? t`Cancel`}
                </Button>
              </AlertDialog.Cancel>
              {/* Not disabled: a disabled button loses the focus. */}
              <Button
                variant="destructive"
                aria-disabled={pending}
                className="min-w-26"
                onClick={() => !pending && onConfirm()}
              >
                {pending ? props.pendingAction : action}
              </Button>
            </div>
          </AlertDialog.Content>
        </AlertDialog.Overlay>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
