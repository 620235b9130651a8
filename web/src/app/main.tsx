import "@/styles/main.css";
import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { Router } from "wouter";
import { queryClient } from "@/api/query-client";
import { followOtherTabs } from "@/api/session";
import { keepFocus } from "@/lib/focus";
import { recallPlaces } from "@/lib/kept-places";
import { hintedMember } from "@/lib/member-hint";
import { followHistory, navigateFromPage } from "@/lib/overlay-history";
import { followTheme } from "@/lib/theme";
import { showKeptToast } from "@/lib/toast";
import { AfterScreen } from "./after-screen";
import { ErrorBoundary } from "./error-boundary";
import { headStart } from "./head-start";
import { Routes } from "./routes";

const root = document.querySelector("#root");
if (!root) throw new Error("The page has no #root to render into.");

// React's own title takes its place: of two, browsers show the first.
document.querySelector("title")?.remove();
followHistory();
followTheme();
followOtherTabs();
showKeptToast();
recallPlaces(hintedMember());
keepFocus(root);
// Not awaited: the code it fetches imports this script and waits for its end.
void headStart().then(() => {
  createRoot(root).render(
    <StrictMode>
      <ErrorBoundary>
        <QueryClientProvider client={queryClient}>
          <Router aroundNav={navigateFromPage}>
            <Routes />
          </Router>
          <AfterScreen />
        </QueryClientProvider>
      </ErrorBoundary>
    </StrictMode>,
  );
});
