// Runs before the first paint: sets the theme, and begins to fetch the code and the data this page
// will need beside the first script instead of after it. The app takes over in src/components/theme.ts,
// src/app/preload-initial-screen.ts and src/api/preloaded-requests.ts.
(function () {
  function stored(key) {
    try {
      return localStorage.getItem(key);
    } catch {
      // Storage may be switched off: the device's own theme is a good answer then, and a member
      // waits a little longer.
      return undefined;
    }
  }

  var page = document.documentElement;
  var scripts = document.currentScript.dataset;
  var theme = stored("vite-ui-theme");
  var dark =
    theme === "dark" || (theme !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  page.classList.toggle("dark", dark);

  // The first screen in the page has the built-in name, which it hides where the operator chose another one.
  var site = JSON.parse(document.querySelector("#site")?.textContent || "{}");
  if (site.name && site.name !== "Kith") page.dataset.renamed = "";

  // As src/lib/accent.ts left it at the last visit: the first screen has this network's accent.
  var accent = JSON.parse(stored("kith:accent") || "null");
  if (accent && accent.color === site.accentColor) {
    var sheet = new CSSStyleSheet();
    sheet.replaceSync(accent.css);
    document.adoptedStyleSheets = [sheet];
  }

  // As src/lib/i18n/locale.ts: the first screen in the page is in English, and hides its texts in others.
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

  // On a slow line fonts would only hold up the code and the data. They come after the first screen.
  var isSlow = performance.now() > 700;
  page.classList.toggle("late-fonts", isSlow);
  if (!isSlow) preload("preload", scripts.font, "font");

  preload("modulepreload", scripts[`${page.lang}Shared`]);

  var [, place, name, rest] = location.pathname.split("/");
  if (["account", "auth", "imprint", "notice", "privacy", "rules", "terms"].includes(place)) return;
  var member = stored("kith:member");
  var isLogoutOwed = typeof stored("kith:logout") === "string";
  var isMember = typeof member === "string" || (!isLogoutOwed && hasSession());
  // Where the storage was cleared, the server tells of the session, which scripts cannot see.
  function hasSession() {
    var [visit] = performance.getEntriesByType("navigation");
    return Boolean(visit?.serverTiming?.some((note) => note.name === "session"));
  }
  // Which of the first screens in the page is shown; without one, it is the one for all others.
  if (isMember) page.dataset.first = place ? "member" : "home";

  // The answers by their addresses, which must be those of src/api to the letter, and who was
  // thought to be there: whoever takes them can tell that another tab has logged them out since.
  var answers = new Map();
  globalThis.early = { member: member, answers: answers };
  function ask(address) {
    var answer = fetch(address, { credentials: "include" });
    // Whoever takes it will learn of a failure.
    answer.catch(function () {});
    answers.set(address, answer);
  }
  // Whoever logged out without a network is not to be shown again: the app tells the server first.
  if (!isLogoutOwed) {
    ask("/api/auth/me");
    if (isMember && !location.search && !rest) askFirst();
  }
  function askFirst() {
    if (!place) ask("/api/posts/feed?limit=20&offset=0");
    if (place === "post" && name) ask("/api/posts/" + name + "/thread");
    if (place === "profile" && name) {
      ask("/api/users/" + name);
      ask("/api/users/" + name + "/posts?filter=posts&limit=20&offset=0");
    }
  }

  // The build writes here which scripts a place needs; while developing there are none. A place may be
  // called as something that each object has, such as "constructor".
  var own = Object.hasOwn(scripts, place || "home") ? scripts[place || "home"] : "";
  var needed = isMember ? [scripts.member, own, scripts[`${page.lang}Member`]] : [scripts.visitor];
  for (var file of new Set(needed.join(" ").split(" "))) preload("modulepreload", file);
})();
