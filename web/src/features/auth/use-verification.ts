import { useEffect, useLayoutEffect, useState } from "react";
import { ApiError, hasStatus, sentenceOf } from "@/api/error";
import { type MailedLink, refreshMe, verifyLink, verifyLinkWithEmail } from "@/api/session";

/** Where the verification of a mailed link stands. */
export type Verification =
  | { state: "loading" }
  | { state: "confirm"; error?: string; pending: boolean }
  | { state: "success" }
  | { state: "error"; message: string };

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

  return { verification, confirm };
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
    const mayRetry = error instanceof ApiError && [400, 409, 422, 429].includes(error.status);
    if (!mayRetry) return failed(error);
    return { state: "confirm", pending: false, error: sentenceOf(error, "Verification failed") };
  }
}

function failed(error: unknown): Verification {
  const message =
    error instanceof ApiError
      ? sentenceOf(error, "Verification failed")
      : "An error occurred during verification";
  return { state: "error", message };
}
