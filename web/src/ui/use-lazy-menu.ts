import { type KeyboardEvent, type MouseEvent, useId, useRef, useState } from "react";

/**
 * The props of an open menu about its button: the `id` from which it has its name and its own id, and
 * whether a key opened it, so that its first row takes the focus.
 */
export type OpenMenuProps = NonNullable<ReturnType<typeof useLazyMenu>["menu"]>;

/**
 * A button that opens a menu, whose code `load` fetches on hover: a page may have
 * thousands of such buttons, of which few are ever pressed.
 */
export function useLazyMenu({ load }: { load: () => Promise<unknown> }) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const [opener, setOpener] = useState<"pointer" | "keyboard" | null>(null);
  const onClose = () => setOpener(null);
  const prefetch = () => void load().catch(() => undefined);
  return {
    menu: opener && { button, id, isByKeyboard: opener === "keyboard", onClose },
    buttonProps: {
      ref: button,
      id,
      "aria-haspopup": "menu",
      "aria-expanded": opener !== null,
      ...(opener && { "aria-controls": `${id}-menu` }),
      onPointerEnter: prefetch,
      onFocus: prefetch,
      onClick({ detail }: MouseEvent) {
        if (opener) onClose();
        else setOpener(detail === 0 ? "keyboard" : "pointer");
      },
      onKeyDown(event: KeyboardEvent) {
        if (event.key !== "ArrowDown") return;
        event.preventDefault();
        setOpener("keyboard");
      },
    } as const,
  };
}
