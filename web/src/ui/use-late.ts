import { useDeferredValue, useEffect, useEffectEvent, useState } from "react";
import type { Code } from "@/lib/code";
import { toastError } from "@/lib/toast";
import { useEver } from "@/lib/use-ever";

/**
 * Code that is fetched when it is first `wanted`, and until then nothing. If it cannot be fetched,
 * that is said and `onMissing` is to give up wanting it.
 */
export function useLate<Module>(
  code: Code<Module>,
  wanted: boolean,
  onMissing: () => void,
): Module | undefined {
  const [, setArrived] = useState(false);
  const giveUp = useEffectEvent(onMissing);
  useEffect(() => {
    if (!wanted || code.here()) return;
    let isWanted = true;
    code.load().then(
      () => isWanted && setArrived(true),
      () => {
        if (!isWanted) return;
        toastError("Kith can't be reached right now.");
        giveUp();
      },
    );
    return () => {
      isWanted = false;
    };
  }, [code, wanted]);
  // What opens is drawn after the click that opens it has been answered.
  const isDue = useDeferredValue(wanted, false);
  return useEver(wanted && isDue) ? code.here() : undefined;
}
