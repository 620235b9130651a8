import { useIsFetching } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { lazyModule } from "@/lib/state/lazy-module";
import { currentToast } from "@/lib/state/toast";

const QUIET = 150;
const toaster = lazyModule(() => import("@/ui/toaster"));

/** True once the screen has what it shows: what stands beside it is fetched after. */
export function useAfterScreen(): boolean {
  const fetching = useIsFetching() > 0;
  const [ready, setReady] = useState(false);
  useEffect(() => {
    if (ready || fetching) return;
    const timer = setTimeout(() => setReady(true), QUIET);
    return () => clearTimeout(timer);
  }, [ready, fetching]);
  return ready;
}

/** Fetches the fonts that `start.js` put off on a slow line, and the toasts, unless one is there before. */
export function AfterScreen() {
  const [code, setCode] = useState(toaster.loaded);
  const ready = useAfterScreen();
  useEffect(() => {
    const load = () => void toaster.load().then(setCode, () => undefined);
    if (ready) document.documentElement.classList.remove("late-fonts");
    if (ready || currentToast.get()) load();
    // After a failure it is asked for again when there is something to say.
    return currentToast.subscribe(load);
  }, [ready]);
  return code && <code.Toaster />;
}
