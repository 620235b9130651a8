import { AlertDialog } from "radix-ui";
import { Button } from "./button";
import type { ConfirmDialogProps } from "./confirm-dialog";

/** What a `ConfirmDialog` shows. */
export default function ConfirmDialogPanel(props: ConfirmDialogProps) {
  const { title, description, action, pendingAction, pending, onConfirm, onCancel, onGone } = props;
  const cancel = () => {
    if (!pending) onCancel();
  };
  return (
    <AlertDialog.Root open onOpenChange={(open) => !open && cancel()}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className="fixed inset-0 z-40 flex animate-fade items-center justify-center overflow-y-auto bg-[oklch(0.12_0.01_60/0.55)] p-4 backdrop-blur-[3px]">
          <AlertDialog.Content
            onCloseAutoFocus={(event) => {
              event.preventDefault();
              onGone();
            }}
            // A toast would keep the first Escape for itself; here it means the dialog.
            onKeyDown={(event) => event.key === "Escape" && cancel()}
            className="w-full max-w-[400px] animate-rise rounded-3xl border border-line bg-raised p-6 shadow-float outline-none"
          >
            <AlertDialog.Title className="font-serif text-[30px] leading-9 text-balance">
              {title}
            </AlertDialog.Title>
            <AlertDialog.Description className="mt-2 text-muted [overflow-wrap:anywhere]">
              {description}
            </AlertDialog.Description>
            <div className="mt-6 flex justify-end gap-3">
              <AlertDialog.Cancel asChild>
                <Button look="outline" aria-disabled={pending}>
                  Cancel
                </Button>
              </AlertDialog.Cancel>
              {/* Not disabled: a disabled button loses the focus. */}
              <Button
                look="danger"
                aria-disabled={pending}
                className="min-w-26"
                onClick={() => !pending && onConfirm()}
              >
                {pending ? pendingAction : action}
              </Button>
            </div>
          </AlertDialog.Content>
        </AlertDialog.Overlay>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
