import type { ReactNode } from "react";
import { dialogCode } from "./dialog-code";
import { useLate } from "./use-late";

export interface DrawerProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  children: ReactNode;
}

/** A panel that slides in from the left edge; the menu of small screens. */
export function Drawer(props: DrawerProps) {
  const code = useLate(dialogCode.drawer, props.open, () => props.onOpenChange(false));
  return code && <code.default {...props} />;
}
