import { type ComponentType, lazy } from "react";
import { toastError } from "@/lib/toast";
import { FailureNotice } from "@/ui/notice";

/**
 * A screen whose code is fetched when it is first shown. Without a network, or when the server has
 * a newer version by then, it says so in the screen's place instead of breaking the page.
 */
export function lazyScreen<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
) {
  return lazy<ComponentType<Props>>(() => load().catch(() => ({ default: Missing })));
}

function Missing() {
  return (
    <>
      <h1 className="sr-only">Kith</h1>
      <FailureNotice error={null} onRetry={startAnew} />
    </>
  );
}

/** Browsers may remember that code could not be fetched; a new page asks again for sure. */
function startAnew(): void {
  if (navigator.onLine) location.reload();
  else toastError("You are offline.");
}
