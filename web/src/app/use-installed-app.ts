import { t } from "@lingui/core/macro";
import { useEffect } from "react";
import { useLocation } from "wouter";
import { useSearch } from "wouter/use-browser-location";
import { useCurrentUser } from "@/api/auth";
import { openCompose } from "@/features/posts/compose-dialog-store";
import { addSharesToDraft } from "@/features/posts/incoming-shares";
import { lazyModule } from "@/lib/state/lazy-module";
import { toastError } from "@/lib/state/toast";
import { useNetworkIdle } from "./use-network-idle";

const serviceWorkerUpdates = lazyModule(() => import("./service-worker-updates"));

/** Registers the service worker once the first screen has loaded; visitors need none. */
export function useServiceWorker(): void {
  const isIdle = useNetworkIdle();
  useEffect(() => {
    // Vite serves no worker while developing. Where it is blocked, the app is as before.
    if (!isIdle || !import.meta.env.PROD) return;
    serviceWorkerUpdates.load().then(
      ({ startServiceWorker }) => startServiceWorker().catch(() => undefined),
      () => undefined,
    );
  }, [isIdle]);
}

/** Opens the composer for a shortcut of the installed app, and for what was shared with it. */
export function useLaunchTarget(): void {
  const { id } = useCurrentUser();
  const search = useSearch();
  const [path, navigate] = useLocation();
  useEffect(() => {
    const parameters = new URLSearchParams(search);
    const isCompose = parameters.has("compose");
    const isShareLost = parameters.get("share") === "failed";
    if (!isCompose && !isShareLost) return;
    // A reload does not open it again.
    navigate(path, { replace: true });
    if (isCompose) openCompose();
    if (isShareLost) toastError(t`What you shared couldn't be kept. Please share it again.`);
  }, [search, path, navigate]);
  useEffect(() => {
    // Also without a shortcut: a member who was logged out comes from the login.
    void addSharesToDraft(id).then((isAdded) => isAdded && openCompose());
  }, [id]);
}
