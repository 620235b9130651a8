import type { ReactNode } from "react";
import { dialogCode } from "./dialog-code";
import { Late } from "./late";

export interface DialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  /** Read out after the title; not shown. */
  description?: string;
  /** A wide dialog for writing, or a narrow one for a short form. */
  width?: "narrow" | "wide";
  children: ReactNode;
}

/** A modal dialog: traps focus, closes on Escape and gives focus back to where it came from. */
export function Dialog(props: DialogProps) {
  return (
    <Late code={dialogCode.panel} wanted={props.open} onMissing={() => props.onOpenChange(false)}>
      {(code) => <code.default {...props} />}
    </Late>
  );
}
