import type { ReactNode } from "react";
import { dialogCode } from "./dialog-code";
import { Late } from "./late";

export interface DrawerProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  children: ReactNode;
}

/** A panel that slides in from the left edge; the menu of small screens. */
export function Drawer(props: DrawerProps) {
  return (
    <Late code={dialogCode.drawer} wanted={props.open} onMissing={() => props.onOpenChange(false)}>
      {(code) => <code.default {...props} />}
    </Late>
  );
}
