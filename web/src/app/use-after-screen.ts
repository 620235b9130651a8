import { useIsFetching } from "@tanstack/react-query";
import { useEffect, useState } from "react";

const QUIET = 150;

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
