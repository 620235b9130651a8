import { type ComponentType, lazy, useState } from "react";
import type { Code } from "@/lib/code";
import { toastError } from "@/lib/toast";
import { FailureNotice } from "@/ui/notice";

/**
 * A screen whose code is fetched when it is first shown. Without a network, or when the server has
 * a newer version by then, it says so in the screen's place instead of breaking the page.
 */
export function lazyScreen<Props extends object>({
  load,
  here,
}: Code<{ default: ComponentType<Props> }>) {
  const Late = lazy<ComponentType<Props>>(() => load().catch(() => ({ default: Missing })));
  return function Screen(props: Props) {
    // What was fetched ahead is shown at once. React would show the fallback first, and keep it
    // for 300 ms so that it does not flicker.
    const [Now] = useState(() => here()?.default ?? Late);
    return <Now {...props} />;
  };
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
