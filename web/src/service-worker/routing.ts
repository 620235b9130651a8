/** The page of the app that is shown without a network. */
export const SHELL_URL = "/index.html";

/** The share target of the manifest. */
export const SHARE_PATH = "/share";

/** Paths that no page of the app has: the API, images, and files of the build. */
const OUTSIDE_APP = /^\/(?:api|assets|images|media)(?:\/|$)|\.[a-z0-9]+$/i;

/** The script before the first paint, whose name has no hash. Online it must fit the page, which comes from the server. */
const START_SCRIPT = "/start.js";

/** How the worker responds to a request; `untouched` ones bypass it. */
export type Route = "page" | "image" | "hashed-file" | "start-script" | "share" | "untouched";

interface RequestTraits {
  method: string;
  mode: RequestMode;
  url: URL;
}

/** Decides how the worker responds to a request. Requests to `/api/` and other origins always bypass it. */
export function chooseRoute({ method, mode, url }: RequestTraits, origin: string): Route {
  if (url.origin !== origin) return "untouched";
  const { pathname } = url;
  if (method === "POST" && pathname === SHARE_PATH) return "share";
  if (method !== "GET") return "untouched";
  if (mode === "navigate") return OUTSIDE_APP.test(pathname) ? "untouched" : "page";
  if (pathname.startsWith("/images/")) return "image";
  if (pathname.startsWith("/assets/")) return "hashed-file";
  return pathname === START_SCRIPT ? "start-script" : "untouched";
}
