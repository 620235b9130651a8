import { t } from "@lingui/core/macro";
import { isLeaving, leavePage } from "@/lib/navigation/leave-page";
import { toastError } from "@/lib/state/toast";
import { hasStatus, getErrorMessage } from "./api-error";

const LOGIN_DELAY_MS = 500;
let redirectTimer: ReturnType<typeof setTimeout> | undefined;

/** Shows the server's sentence, or else `fallback`; once the session has ended, it leads to the login. */
export function handleMutationError(error: unknown, fallback: string, title?: string): void {
  if (hasStatus(error, 401)) return redirectToLogin();
  toastError(getErrorMessage(error, fallback), title);
}

/** Says that the session is over and goes to the login, once. */
export function redirectToLogin(): void {
  if (isLeaving() || redirectTimer !== undefined) return;
  toastError(t`You are logged out. Logging in again...`, t`Unauthorized`);
  redirectTimer = setTimeout(() => {
    redirectTimer = undefined;
    if (!isLeaving()) leavePage("/api/login");
  }, LOGIN_DELAY_MS);
}
