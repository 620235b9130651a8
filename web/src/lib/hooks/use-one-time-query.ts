import { useLayoutEffect, useState } from "react";

/** The query of a mailed link. It is taken out of the URL, since the history must not keep its token. */
export function useOneTimeQuery(): URLSearchParams {
  const [query] = useState(() => new URLSearchParams(location.search));
  useLayoutEffect(() => history.replaceState(history.state, "", location.pathname), []);
  return query;
}
