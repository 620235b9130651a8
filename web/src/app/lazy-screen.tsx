import { type ComponentType, lazy, type ReactNode, Suspense, useState } from "react";
import type { Code } from "@/lib/code";
import { toastError } from "@/lib/toast";
import { FailureNotice } from "@/ui/notice";
import { Title } from "@/ui/title";
import { Splash } from "./splash";

interface Props {
  /** The parameters of the screen's path. */
  params?: object;
  /** What is shown while the code is fetched. */
  fallback?: ReactNode;
}

const splash = <Splash />;

/**
 * A screen whose code is fetched when it is first shown. Without a network, or when the server has
 * a newer version by then, it says so in the screen's place instead of breaking the page.
 */
export function lazyScreen(code: Code<{ default: ComponentType<never> }>, title: string | null) {
  const { load, here } = code as Code<{ default: ComponentType<object> }>;
  const Late = lazy(() => load().catch(() => ({ default: Missing })));
  return function Screen({ params, fallback = splash }: Props) {
    // What was fetched ahead is shown at once. React would show the fallback first, and keep it
    // for 300 ms so that it does not flicker.
    const [Now] = useState(() => here()?.default ?? Late);
    return (
      <>
        {title !== null && <Title page={title} />}
        <Suspense fallback={fallback}>
          <Now {...params} />
        </Suspense>
      </>
    );
  };
}

function Missing() {
  return (
    <>
      <h1 className="sr-only">Kith</h1>
      <FailureNotice error={null} onRetry={startAgain} />
    </>
  );
}

/** Browsers may remember that code could not be fetched; a new page asks again for sure. */
function startAgain(): void {
  if (navigator.onLine) location.reload();
  else toastError("You are offline.");
}
