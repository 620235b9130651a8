import { useEffect, useState } from "react";
import { lazyModule } from "@/lib/state/lazy-module";
import { currentToast } from "@/lib/state/toast";
import { useNetworkIdle } from "./use-network-idle";

const toasterModule = lazyModule(() => import("@/ui/toaster"));

/** Fetches the fonts that `start.js` put off on a slow line, and the toasts, unless one is there before. */
export function DeferredAssets() {
  const [loadedToaster, setLoadedToaster] = useState(toasterModule.loaded);
  const isIdle = useNetworkIdle();
  useEffect(() => {
    const load = () => void toasterModule.load().then(setLoadedToaster, () => undefined);
    if (isIdle) document.documentElement.classList.remove("late-fonts");
    if (isIdle || currentToast.get()) load();
    // After a failure the module is fetched again with the next toast.
    return currentToast.subscribe(load);
  }, [isIdle]);
  return loadedToaster && <loadedToaster.Toaster />;
}
