import "@/styles/main.css";
import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { queryClient } from "@/api/query-client";
import { followTheme } from "@/lib/theme";
import { ErrorBoundary } from "./error-boundary";
import { followMember } from "./follow-member";
import { headStart } from "./head-start";
import { LateToaster } from "./late-toaster";
import { Routes } from "./routes";

const root = document.querySelector("#root");
if (!root) throw new Error("The page has no #root to render into.");

followTheme();
followMember();
// Not awaited: the code it fetches imports this script and waits for its end.
void headStart().then(() => {
  createRoot(root).render(
    <StrictMode>
      <ErrorBoundary>
        <QueryClientProvider client={queryClient}>
          <Routes />
          <LateToaster />
        </QueryClientProvider>
      </ErrorBoundary>
    </StrictMode>,
  );
});
