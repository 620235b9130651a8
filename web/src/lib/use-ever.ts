import { useState } from "react";

/** Whether `value` has ever been true since the caller was there. */
export function useEver(value: boolean): boolean {
  const [ever, setEver] = useState(value);
  if (value && !ever) setEver(true);
  return ever || value;
}
