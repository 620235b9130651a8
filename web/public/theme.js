// Sets the theme before the first paint; the app takes over from here (src/lib/theme.ts).
(function () {
  var stored = null;
  try {
    stored = localStorage.getItem("vite-ui-theme");
  } catch {
    // Storage may be switched off; the device's own theme is a good answer then.
  }
  var dark =
    stored === "dark" || (stored !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.classList.toggle("dark", dark);
})();
