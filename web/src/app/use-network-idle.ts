import { useIsFetching } from "@tanstack/react-query";
import { useEffect, useState } from "react";

const QUIET_MS = 150;

/** True once the screen has loaded, so that secondary content does not compete with it. */
export function useNetworkIdle(): boolean {
  const isFetching = useIsFetching() > 0;
  const [isIdle, setIdle] = useState(false);
  useEffect(() => {
    if (isIdle || isFetching) return;
    const timer = setTimeout(() => setIdle(true), QUIET_MS);
    return () => clearTimeout(timer);
  }, [isIdle, isFetching]);
  return isIdle;
}
