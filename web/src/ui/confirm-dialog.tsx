import { dialogCode } from "./dialog-code";
import { Late } from "./late";

export interface ConfirmDialogProps {
  /** The question. */
  title: string;
  /** What will follow. */
  description: string;
  /** What the button that does it says. */
  action: string;
  /** What it says while it is being done. */
  pendingAction: string;
  pending: boolean;
  onConfirm: () => void;
  onCancel: () => void;
  /** Puts the focus where the reader goes on once the dialog is gone. */
  onGone: () => void;
}

/**
 * Asks before something is taken away for good, for as long as it is rendered. The focus starts on
 * "Cancel"; what is being done can no longer be cancelled.
 */
export function ConfirmDialog(props: ConfirmDialogProps) {
  return (
    <Late code={dialogCode.confirm} wanted onMissing={props.onCancel}>
      {(code) => <code.default {...props} />}
    </Late>
  );
}
