import { useEffectEvent, useLayoutEffect, useState } from "react";
import { restoreFocus } from "@/lib/focus";
import { addOverlay } from "@/lib/overlay-history";

/**
 * Makes Back close an overlay instead of leaving the page. The props go to its content: they return the
 * focus, since overlays are opened by state and their primitives know no trigger.
 */
export function useOverlay(onBack: () => void) {
  const goBack = useEffectEvent(onBack);
  useLayoutEffect(() => addOverlay(() => goBack()), []);
  const [opener] = useState(() => document.activeElement);
  return {
    onCloseAutoFocus(event: Event) {
      event.preventDefault();
      restoreFocus(opener);
    },
  };
}
