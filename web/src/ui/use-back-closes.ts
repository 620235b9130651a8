import { useEffect, useRef } from "react";

/**
 * Lets the browser's way back close what is open, as on a page of its own. However it closes, the
 * entry that it had in the history is gone afterwards.
 */
export function useBackCloses(close: () => void): void {
  const onBack = useRef(close);
  const leaving = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    onBack.current = close;
  });
  useEffect(() => {
    // React may take an effect back and do it again at once; then the entry is still there.
    if (leaving.current === undefined) history.pushState({ ...history.state }, "");
    clearTimeout(leaving.current);
    let wentBack = false;
    const onPop = () => {
      wentBack = true;
      onBack.current();
    };
    addEventListener("popstate", onPop);
    return () => {
      removeEventListener("popstate", onPop);
      if (!wentBack) leaving.current = setTimeout(() => history.back());
    };
  }, []);
}
