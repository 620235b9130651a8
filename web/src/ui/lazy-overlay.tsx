import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { type ComponentType, useEffect, useEffectEvent, useState } from "react";
import { createPortal } from "react-dom";
import { lazyModule, lazyComponent } from "@/lib/state/lazy-module";
import { useOverlay } from "@/lib/navigation/overlay-history";
import { toastError } from "@/lib/state/toast";
import { getSiteName } from "@/lib/site";

interface ClosableProps {
  onClose: () => void;
}

const overlayLoaders: (() => Promise<unknown>)[] = [];

/** Fetches the code of all overlays of the scripts that are here; a failure shows when one opens. */
export function prefetchOverlays(): void {
  for (const load of overlayLoaders) load().catch(() => undefined);
}

/** Milliseconds after which a wait is shown: most are over by then, and would only flicker. */
const PENDING_DELAY_MS = 300;

/** An overlay whose code is fetched when it first opens, or before by `load`. A failure closes it. */
export function lazyOverlay<Props extends ClosableProps>(
  importModule: () => Promise<{ default: ComponentType<Props> }>,
) {
  const module = lazyModule(importModule);
  overlayLoaders.push(module.load);
  const Content = lazyComponent(module, LoadFailed);
  const Overlay = (props: Props) => (
    <Content props={props} fallback={<Opening onClose={props.onClose} />} />
  );
  return Object.assign(Overlay, { load: module.load });
}

function LoadFailed({ onClose }: ClosableProps) {
  const close = useEffectEvent(onClose);
  useEffect(() => {
    toastError(t`${{ siteName: getSiteName() }} can't be reached right now.`);
    close();
  }, []);
  return null;
}

/** A loading state for slow networks. Escape, Back or another click cancels the overlay. */
function Opening({ onClose }: ClosableProps) {
  const [isSlow, setSlow] = useState(false);
  useOverlay(onClose);
  const cancel = useEffectEvent((event: Event) => {
    if (event instanceof KeyboardEvent && event.key !== "Escape") return;
    event.preventDefault();
    event.stopPropagation();
    // The second click of a double click means the same as the first.
    if (isSlow) onClose();
  });
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), PENDING_DELAY_MS);
    const listen = (event: Event) => cancel(event);
    document.addEventListener("click", listen, true);
    document.addEventListener("keydown", listen, true);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("click", listen, true);
      document.removeEventListener("keydown", listen, true);
    };
  }, []);
  // The status is there before its text, or it would not be read out.
  return createPortal(
    <div
      role="status"
      className="pointer-events-none fixed inset-x-0 top-4 z-60 flex justify-center"
    >
      {isSlow && (
        <span className="animate-fade rounded-full border border-border bg-popover px-5 py-2 text-sm shadow-float">
          <Trans>Opening...</Trans>
        </span>
      )}
    </div>,
    document.body,
  );
}
