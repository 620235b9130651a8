import type { ReactNode } from "react";
import { dialogCode } from "./dialog-code";
import { useLate } from "./use-late";

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
  const code = useLate(dialogCode.panel, props.open, () => props.onOpenChange(false));
  return code && <code.default {...props} />;
}
