import "@/styles/main.css";
import { QueryClientProvider } from "@tanstack/react-query";
import { Fragment, StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { Router } from "wouter";
import { queryClient } from "@/api/query-client";
import { syncSessionAcrossTabs } from "@/api/auth";
import { reportUnhandledErrors } from "@/api/client-errors";
import { initLocale } from "@/lib/i18n/catalogs";
import { activeLocale } from "@/lib/i18n/locale";
import { preserveFocus } from "@/lib/dom/focus";
import { loadSavedScroll } from "@/lib/navigation/saved-scroll";
import { getHintedUserId } from "@/lib/storage/session-hint";
import { listenToHistory, navigateFromPage } from "@/lib/navigation/overlay-history";
import { initTheme } from "@/components/theme";
import { useStore } from "@/lib/state/store";
import { showToastAfterReload } from "@/lib/state/toast";
import { applyAccent } from "@/lib/accent";
import { site } from "@/lib/site";
import { DeferredAssets } from "./deferred-assets";
import { ErrorBoundary } from "./error-boundary";
import { preloadInitialScreen } from "./preload-initial-screen";
import { Routes } from "./routes";

const root = document.querySelector("#root");
if (!root) throw new Error("The page has no #root to render into.");

// React's own title takes its place: of two, browsers show the first.
document.querySelector("title")?.remove();
listenToHistory();
initTheme();
site.subscribe(() => applyAccent(site.get().accentColor));
applyAccent(site.get().accentColor);
reportUnhandledErrors();
syncSessionAcrossTabs();
showToastAfterReload();
loadSavedScroll(getHintedUserId());
preserveFocus(root);
// Not awaited: the code it fetches imports this script and waits for its end.
void Promise.all([initLocale(), preloadInitialScreen()]).then(() => {
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
});

/** The app, mounted again when its language changes: texts are read while components render. */
function App() {
  return (
    <Fragment key={useStore(activeLocale)}>
      <ErrorBoundary>
        <QueryClientProvider client={queryClient}>
          <Router aroundNav={navigateFromPage}>
            <Routes />
          </Router>
          <DeferredAssets />
        </QueryClientProvider>
      </ErrorBoundary>
    </Fragment>
  );
}
