import { t } from "@lingui/core/macro";
import { formatMessage } from "@/lib/i18n/message";
import { getSiteName } from "@/lib/site";
import { formatDateTime } from "@/lib/time/format-date";
import type { ErrorBody } from "./types";

/** An error of the server. `message` is `"<status>: <body or status text>"`. */
export class ApiError extends Error {
  readonly serverMessage: string | undefined;
  /** The server's snake_case name of what went wrong. */
  readonly code: string | undefined;
  readonly fieldErrors: Readonly<Record<string, string>>;

  constructor(
    readonly status: number,
    readonly statusText: string,
    body: string,
  ) {
    super(`${status}: ${body || statusText}`);
    this.name = "ApiError";
    const parsed = parseBody(body);
    this.serverMessage = parsed.message && (describeEnd(parsed) ?? translate(parsed.message));
    this.code = parsed.code;
    const fields = Object.entries(parsed.fields ?? {});
    this.fieldErrors = Object.fromEntries(fields.map(([name, text]) => [name, translate(text)]));
  }

  static async from(response: Response): Promise<ApiError> {
    const body = await response.text().catch(() => "");
    return new ApiError(response.status, response.statusText, body);
  }
}

/** The server's English sentence in the active language, if the OpenAPI document has it as an example. */
function translate(sentence: string): string {
  return typeof sentence === "string" ? formatMessage({ id: sentence }) : sentence;
}

/** A sentence with the time at which a suspension ends, in the viewer's time zone. */
function describeEnd({ code, until }: Partial<ErrorBody>): string | null {
  if (code !== "suspended" || !until) return null;
  const end = formatDateTime(until);
  return t`Your account is suspended until ${end}, so you can't log in before then.`;
}

function parseBody(body: string): Partial<ErrorBody> {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === "object" && value !== null ? value : {};
  } catch {
    return {};
  }
}

export function hasStatus(error: unknown, ...statuses: number[]): error is ApiError {
  return error instanceof ApiError && statuses.includes(error.status);
}

/** Whether the same request may well succeed later: no response came, or the server was busy or broken. */
export function isRetryable(error: unknown): boolean {
  return !(error instanceof ApiError) || error.status >= 500 || error.status === 429;
}

/** The server's sentence if there is one, else `fallback`. */
export function getErrorMessage(error: unknown, fallback: string): string {
  return (error instanceof ApiError && error.serverMessage) || fallback;
}

/** Why a login failed or a session ended; about a suspension also where the reason is. */
export function getLoginErrorMessage(error: unknown, fallback: string): string {
  const message = getErrorMessage(error, fallback);
  const isSuspended = error instanceof ApiError && error.code === "suspended";
  return isSuspended ? `${message} ${t`Our email about it says why, and how to object.`}` : message;
}

/** The message for content that could not be loaded. */
export function describeError(error: unknown): string {
  const hasResponse = error instanceof ApiError;
  return getErrorMessage(
    error,
    hasResponse
      ? t`Something went wrong.`
      : t`${{ siteName: getSiteName() }} can't be reached right now.`,
  );
}

/** The server's sentences for single fields of a form, by the field's name. */
export function getFieldErrors(error: unknown): Readonly<Record<string, string>> {
  return error instanceof ApiError ? error.fieldErrors : {};
}
