import { useLayoutEffect, useState } from "react";

/** The fragment of a mailed link, which no server learns. It is taken out of the URL, since the history must not keep its token. */
export function useOneTimeFragment(): string {
  const [fragment] = useState(() => location.hash.slice(1));
  useLayoutEffect(() => history.replaceState(history.state, "", location.pathname), []);
  return fragment;
}
