import {
  type ComponentType,
  type KeyboardEvent,
  type MouseEvent,
  useId,
  useRef,
  useState,
} from "react";
import { toastError } from "@/lib/toast";

/** What an open menu is told about the button that it belongs to. */
export interface OpenMenu {
  button: { readonly current: HTMLButtonElement | null };
  /** The button's id, from which the menu has its name. */
  buttonId: string;
  menuId: string;
  /** Whether a key opened it, so that its first row takes the focus. */
  isByKeyboard: boolean;
  close: () => void;
}

type Load<Props> = () => Promise<{ default: ComponentType<Props & { menu: OpenMenu }> }>;

/**
 * A button that opens a menu whose code is fetched when somebody is about to open it: a page may
 * have thousands of such buttons, of which few are ever pressed. `load` is to import a component
 * that renders a `MenuPanel`.
 */
export function useMenuButton<Props>(load: Load<Props>) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState<{
    Panel: ComponentType<Props & { menu: OpenMenu }>;
    isByKeyboard: boolean;
  } | null>(null);
  const menuId = `${id}-menu`;
  const close = () => setOpen(null);

  async function show(isByKeyboard: boolean) {
    try {
      const { default: Panel } = await load();
      setOpen({ Panel, isByKeyboard });
    } catch {
      toastError("Kith can't be reached right now.");
    }
  }

  const prepare = () => void load().catch(() => undefined);
  return {
    /** The menu while it is open: its component, and what that is to be told. */
    panel: open && {
      Panel: open.Panel,
      menu: { button, buttonId: id, menuId, isByKeyboard: open.isByKeyboard, close },
    },
    /** What makes a button the button of this menu. */
    buttonProps: {
      ref: button,
      id,
      "aria-haspopup": "menu",
      "aria-expanded": open !== null,
      ...(open && { "aria-controls": menuId }),
      onPointerEnter: prepare,
      onFocus: prepare,
      onClick(event: MouseEvent) {
        if (open) close();
        else void show(event.detail === 0);
      },
      onKeyDown(event: KeyboardEvent) {
        if (event.key !== "ArrowDown") return;
        event.preventDefault();
        void show(true);
      },
    } as const,
  };
}
