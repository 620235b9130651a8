import { isLeaving, leavePage } from "@/lib/leave-page";
import { toastError } from "@/lib/toast";
import { fieldsOf, hasStatus, sentenceOf } from "./error";

const LOGIN_DELAY = 500;
let timer: ReturnType<typeof setTimeout> | undefined;

interface Options {
  title?: string;
  /** Fields of the form that show the server's sentence themselves, so that no toast repeats it. */
  fields?: readonly string[];
}

/** Shows the server's sentence, or else `fallback`; once the session has ended, it leads to the login. */
export function showFailure(
  error: unknown,
  fallback: string,
  { title, fields = [] }: Options = {},
): void {
  if (hasStatus(error, 401)) return logInAgain();
  if (fields.some((name) => fieldsOf(error)[name] !== undefined)) return;
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
