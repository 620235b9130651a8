import { useEffect, useLayoutEffect, useState } from "react";
import { ApiError, hasStatus, sentenceOf } from "@/api/error";
import { type MailedLink, refreshMe, verifyLink, verifyLinkWithEmail } from "@/api/session";

/** Where the verification of a mailed link stands. */
export type Verification =
  | { state: "loading" }
  | { state: "confirm"; error?: string; pending: boolean }
  | { state: "success" }
  | { state: "error"; message: string; mayRetry?: boolean };

const loading: Verification = { state: "loading" };
const success: Verification = { state: "success" };

// One attempt a link, however often React mounts the screen.
const attempts = new Map<string, Promise<Verification>>();

/** Verifies the link in the page's address once, and takes it out of the address at once. */
export function useVerification() {
  const [link] = useState(readLink);
  const [verification, setVerification] = useState<Verification>(
    link === null ? { state: "error", message: "No verification token found" } : loading,
  );

  useLayoutEffect(() => {
    history.replaceState(history.state, "", location.pathname);
  }, []);

  useEffect(() => {
    if (link === null) return undefined;
    let current = true;
    void attemptOnce(link).then((result) => {
      if (current) setVerification(result);
    });
    return () => {
      current = false;
    };
  }, [link]);

  /** Proves, where the browser can't, that the reader knows the address the link was sent to. */
  async function confirm(email: string) {
    if (link === null) return;
    setVerification({ state: "confirm", pending: true });
    setVerification(await attemptWithEmail(link, email));
  }

  /** Tries the link once more, where the last try said nothing about it. */
  async function retry() {
    if (link === null) return;
    setVerification(loading);
    setVerification(await attemptOnce(link));
  }

  return { verification, confirm, retry };
}

function readLink(): MailedLink | null {
  const query = new URLSearchParams(location.search);
  const token = query.get("token");
  return token ? { token, invite: query.get("invite") } : null;
}

function attemptOnce(link: MailedLink): Promise<Verification> {
  const attempt = attempts.get(link.token) ?? verify(link);
  attempts.set(link.token, attempt);
  return attempt;
}

async function verify(link: MailedLink): Promise<Verification> {
  try {
    await verifyLink(link);
    await refreshMe();
    return success;
  } catch (error) {
    if (hasStatus(error, 409) && error.code === "confirm_email") {
      return { state: "confirm", pending: false };
    }
    // The token is in the address no more: only this page can try again.
    if (isPassing(error)) attempts.delete(link.token);
    return failed(error);
  }
}

async function attemptWithEmail(link: MailedLink, email: string): Promise<Verification> {
  try {
    await verifyLinkWithEmail(link, email);
    await refreshMe();
    return success;
  } catch (error) {
    // A wrong address may be corrected; a link that is gone stays gone.
    const isAboutAddress = error instanceof ApiError && [400, 409, 422].includes(error.status);
    if (!isAboutAddress && !isPassing(error)) return failed(error);
    return { state: "confirm", pending: false, error: whyFailed(error) };
  }
}

/** Whether a failure says nothing about the link: no answer came, or the server was busy or broken. */
function isPassing(error: unknown): boolean {
  return !(error instanceof ApiError) || error.status === 429 || error.status >= 500;
}

function failed(error: unknown): Verification {
  return { state: "error", message: whyFailed(error), mayRetry: isPassing(error) };
}

function whyFailed(error: unknown): string {
  return error instanceof ApiError
    ? sentenceOf(error, "Verification failed")
    : "An error occurred during verification";
}
