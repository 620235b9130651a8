import { Slot } from "radix-ui";
import { type ComponentPropsWithRef, type ReactNode, useLayoutEffect } from "react";

let locks = 0;

function lock() {
  const root = document.documentElement;
  locks += 1;
  if (locks === 1) root.dataset["scrollLocked"] = innerWidth > root.clientWidth ? "gutter" : "";
  return () => {
    locks -= 1;
    if (locks === 0) delete root.dataset["scrollLocked"];
  };
}

type Props = ComponentPropsWithRef<"div"> & {
  as?: unknown;
  children?: ReactNode;
  enabled?: boolean;
  allowPinchZoom?: boolean;
  shards?: unknown;
};

/**
 * Keeps the page behind a dialog from scrolling. Stands in for the library of the same name that
 * the dialog primitives use: that one injects a <style> element, which our content security
 * policy refuses. The rule itself is in `styles/main.css`.
 */
export function RemoveScroll({ as, enabled = true, allowPinchZoom, shards, ...rest }: Props) {
  useLayoutEffect(() => (enabled ? lock() : undefined), [enabled]);
  void allowPinchZoom;
  void shards;
  return as === undefined ? <div {...rest} /> : <Slot.Root {...rest} />;
}
