import { isLeaving, leavePage } from "@/lib/navigation/leave-page";
import { toastError } from "@/lib/state/toast";
import { hasStatus, sentenceOf } from "./error";

const LOGIN_DELAY = 500;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Shows the server's sentence, or else `fallback`; once the session has ended, it leads to the login. */
export function showFailure(error: unknown, fallback: string, title?: string): void {
  if (hasStatus(error, 401)) return logInAgain();
  toastError(sentenceOf(error, fallback), title);
}

/** Says that the session is over and goes to the login, once. */
export function logInAgain(): void {
  if (isLeaving() || timer !== undefined) return;
  toastError("You are logged out. Logging in again...", "Unauthorized");
  timer = setTimeout(() => {
    timer = undefined;
    if (!isLeaving()) leavePage("/api/login");
  }, LOGIN_DELAY);
}
