import { useEffect, useState } from "react";
import { codeOf } from "@/lib/code";
import { currentToast } from "@/lib/toast";

const toaster = codeOf(() => import("@/ui/toaster"));

/** The toasts, whose code is fetched once the first screen is drawn: none needs it before. */
export function LateToaster() {
  const [code, setCode] = useState(toaster.here);
  useEffect(() => {
    const load = () => void toaster.load().then(setCode, () => undefined);
    load();
    // What could not be fetched is asked for anew when there is something to say.
    return currentToast.subscribe(load);
  }, []);
  return code && <code.Toaster />;
}
