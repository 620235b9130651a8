// Runs before the first paint: sets the theme, and fetches the code and the data of this page
// concurrently with the first script instead of after it. The app continues in
// src/components/theme.ts, src/app/preload-initial-screen.ts and src/api/preloaded-requests.ts.
(function () {
  function stored(key) {
    try {
      return localStorage.getItem(key);
    } catch {
      // Storage may be switched off. Then the theme is the device's, and pages of members
      // may load a little later.
      return undefined;
    }
  }

  var page = document.documentElement;
  var scripts = document.currentScript.dataset;
  var theme = stored("vite-ui-theme");
  var dark =
    theme === "dark" || (theme !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  page.classList.toggle("dark", dark);

  // The prerendered first screen contains the built-in name. It is hidden if the operator chose another one.
  var site = JSON.parse(document.querySelector("#site")?.textContent || "{}");
  if (site.name && site.name !== "Kith") page.dataset.renamed = "";

  // src/lib/accent.ts stored the styles of the network's accent color at the last visit.
  var accent = JSON.parse(stored("kith:accent") || "null");
  if (accent && accent.color === site.accentColor) {
    var sheet = new CSSStyleSheet();
    sheet.replaceSync(accent.css);
    document.adoptedStyleSheets = [sheet];
  }

  // The same rule as in src/lib/i18n/locale.ts. The prerendered first screen is in English, and its
  // texts are transparent in other languages.
  var languages = navigator.languages.map((tag) => tag.split("-")[0].toLowerCase());
  var locales = ["en", "de"];
  page.lang =
    [stored("kith:locale"), ...languages, site.defaultLanguage].find((tag) =>
      locales.includes(tag),
    ) || locales[0];

  function preload(rel, file, as) {
    if (!file) return;
    var link = document.createElement("link");
    link.rel = rel;
    link.href = "/" + file;
    if (as) {
      link.as = as;
      link.crossOrigin = "";
    }
    document.head.append(link);
  }

  // On a slow connection fonts would delay the code and the data. They load after the first screen.
  var isSlow = performance.now() > 450;
  page.classList.toggle("late-fonts", isSlow);
  if (!isSlow) preload("preload", scripts.font, "font");

  preload("modulepreload", scripts[`${page.lang}Shared`]);

  var [, segment, name, rest] = location.pathname.split("/");
  var publicSegments = ["account", "auth", "imprint", "notice", "privacy", "rules", "terms"];
  if (publicSegments.includes(segment)) return;
  var hintedUserId = stored("kith:member");
  var hasPendingLogout = typeof stored("kith:logout") === "string";
  var isMember = typeof hintedUserId === "string" || (!hasPendingLogout && hasSession());
  // Scripts cannot read the session cookie. If the storage was cleared, the response's Server-Timing
  // header still names the session.
  function hasSession() {
    var [navigation] = performance.getEntriesByType("navigation");
    return Boolean(navigation?.serverTiming?.some((metric) => metric.name === "session"));
  }
  // Selects the prerendered first screen. Without a value, the page shows the one of visitors.
  if (isMember) page.dataset.first = segment ? "member" : "home";

  // Responses by URL, which must equal the URLs in src/api, and the hinted member at the time of the
  // requests. With it the app detects that another tab has logged the member out since.
  var responses = new Map();
  globalThis.preloadedRequests = { hintedUserId: hintedUserId, responses: responses };
  function sendRequest(url) {
    var response = fetch(url, { credentials: "include" });
    // The app handles the failure when it uses the response.
    response.catch(function () {});
    responses.set(url, response);
  }
  // After a logout without a network, the app first ends the session on the server.
  if (!hasPendingLogout) {
    sendRequest("/api/auth/me");
    if (isMember && !location.search && !rest) prefetchFirstPage();
  }
  function prefetchFirstPage() {
    if (!segment) sendRequest("/api/posts/feed?limit=20&offset=0");
    if (segment === "post" && name) sendRequest("/api/posts/" + name + "/thread");
    if (segment === "profile" && name) {
      sendRequest("/api/users/" + name);
      sendRequest("/api/users/" + name + "/posts?filter=posts&limit=20&offset=0");
    }
  }

  // tools/preloads.ts writes the scripts of each path segment into data attributes; the development
  // server writes none. A segment may be the name of an inherited property, such as "constructor".
  var key = segment || "home";
  var own = Object.hasOwn(scripts, key) ? scripts[key] : "";
  var files = isMember ? [scripts.member, own, scripts[`${page.lang}Member`]] : [scripts.visitor];
  for (var file of new Set(files.join(" ").split(" "))) preload("modulepreload", file);
})();
