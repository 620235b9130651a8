import { toastError } from "@/lib/toast";
import { hasStatus } from "./error";
import { MemberForgotten } from "./member-calls";

const LOGIN_DELAY = 500;
let leaving = false;

/**
 * Tells the member that an action failed. If the reason is that they are no longer logged in, says
 * that instead and takes them to the login. Who has logged out is told nothing.
 */
export function showFailure(error: unknown, description: string, title = "Error"): void {
  if (error instanceof MemberForgotten) return;
  if (hasStatus(error, 401)) logInAgain();
  else toastError(description, title);
}

/** Says that the session is over and goes to the login. */
export function logInAgain(): void {
  toastError("You are logged out. Logging in again...", "Unauthorized");
  if (leaving) return;
  leaving = true;
  setTimeout(() => location.assign("/api/login"), LOGIN_DELAY);
}
