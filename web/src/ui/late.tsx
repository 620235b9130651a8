import { type ReactNode, useDeferredValue, useEffect, useEffectEvent, useState } from "react";
import { createPortal } from "react-dom";
import type { Code } from "@/lib/code";
import { toastError } from "@/lib/toast";
import { useEver } from "@/lib/use-ever";

/** Milliseconds after which a wait is shown: most are over by then, and would only flicker. */
const UNSEEN = 300;

interface Props<Module> {
  code: Code<Module>;
  /** Whether it is to be open. */
  wanted: boolean;
  /** Gives up wanting it. */
  onMissing: () => void;
  /** What the code shows, from the first time it is wanted. */
  children: (module: Module) => ReactNode;
}

/**
 * What opens above a page, by code that is fetched when it is first `wanted`. On a slow line a sign says
 * that it comes; Escape or another click calls it off, as they close what is open. If it cannot be
 * fetched, that is said.
 */
export function Late<Module>({ code, wanted, onMissing, children }: Props<Module>) {
  const [, setArrived] = useState(false);
  const [isSlow, setSlow] = useState(false);
  const giveUp = useEffectEvent(onMissing);
  useEffect(() => {
    if (!wanted || code.here()) return;
    const waiting = new AbortController();
    const { signal } = waiting;
    let hasSign = false;
    const timer = setTimeout(() => {
      hasSign = true;
      setSlow(true);
    }, UNSEEN);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      setSlow(false);
    });
    const callOff = (event: Event) => {
      event.preventDefault();
      event.stopPropagation();
      // The second click of a double click means the same as the first.
      if (hasSign) giveUp();
    };
    document.addEventListener("click", callOff, { capture: true, signal });
    const callOffByKey = (event: KeyboardEvent) => event.key === "Escape" && callOff(event);
    document.addEventListener("keydown", callOffByKey, { capture: true, signal });
    code.load().then(
      () => {
        if (signal.aborted) return;
        waiting.abort();
        setArrived(true);
      },
      () => {
        if (signal.aborted) return;
        toastError("Kith can't be reached right now.");
        giveUp();
      },
    );
    return () => waiting.abort();
  }, [code, wanted]);
  // What opens is drawn after the click that opens it has been answered.
  const isDue = useDeferredValue(wanted, false);
  const module = useEver(wanted && isDue) ? code.here() : undefined;
  if (module) return children(module);
  return wanted && createPortal(<Sign isShown={isSlow} />, document.body);
}

/** Says that something comes. It is there before it says so, or it would not be read out. */
function Sign({ isShown }: { isShown: boolean }) {
  return (
    <div
      role="status"
      className="pointer-events-none fixed inset-x-0 top-4 z-60 flex justify-center"
    >
      {isShown && (
        <span className="animate-fade rounded-full border border-line bg-raised px-5 py-2 text-sm shadow-float">
          Opening...
        </span>
      )}
    </div>
  );
}
