import { useMutation, useQuery } from "@tanstack/react-query";
import { useLayoutEffect, useState } from "react";
import { ApiError, hasStatus, mayPass, sentenceOf } from "@/api/error";
import { type MailedLink, refreshMe, verifyLink, verifyLinkWithEmail } from "@/api/session";

export type Verification =
  | { state: "loading" }
  | { state: "confirm" }
  | { state: "success" }
  | { state: "member"; message: string }
  | { state: "error"; message: string; mayRetry?: boolean };

const success: Verification = { state: "success" };

/** Verifies the link in the page's URL once, and takes it out of the URL at once. */
export function useVerification() {
  const [link] = useState(readLink);
  useLayoutEffect(() => {
    history.replaceState(history.state, "", location.pathname);
  }, []);
  // A query: one attempt a link, however often React mounts the screen.
  const attempt = useQuery({
    queryKey: ["verification", link.token],
    queryFn: () => verify(link),
    enabled: link.token !== "",
  });
  /** Proves, where the browser can't, that the reader knows the email the link was sent to. */
  const confirm = useMutation({ mutationFn: (email: string) => verifyWithEmail(link, email) });
  let verification: Verification = { state: "loading" };
  if (link.token === "") verification = { state: "error", message: "No verification token found" };
  else if (attempt.data && !attempt.isFetching) verification = confirm.data ?? attempt.data;
  const confirmError = confirm.error ? whyFailed(confirm.error) : undefined;
  return { verification, confirm, confirmError, retry: () => void attempt.refetch() };
}

function readLink(): MailedLink {
  const query = new URLSearchParams(location.search);
  return { token: query.get("token") ?? "", invite: query.get("invite") };
}

async function verify(link: MailedLink): Promise<Verification> {
  try {
    await verifyLink(link);
    await refreshMe();
    return success;
  } catch (error) {
    const isConfirm = hasStatus(error, 409) && error.code === "confirm_email";
    return isConfirm ? { state: "confirm" } : spent(error);
  }
}

async function verifyWithEmail(link: MailedLink, email: string): Promise<Verification> {
  try {
    await verifyLinkWithEmail(link, email);
    await refreshMe();
    return success;
  } catch (error) {
    // A wrong email may be corrected; a link that is gone stays gone.
    if (hasStatus(error, 400, 409, 422) || mayPass(error)) throw error;
    return spent(error);
  }
}

/** A link that is over needs no new one where a member is logged in: by the code of the same mail, for example. */
async function spent(error: unknown): Promise<Verification> {
  const what = error instanceof ApiError ? over[error.code ?? ""] : undefined;
  const me = what && (await refreshMe());
  if (!me) return { state: "error", message: whyFailed(error), mayRetry: mayPass(error) };
  return { state: "member", message: `${what}. You're logged in as @${me.username}.` };
}

const over: Readonly<Record<string, string>> = {
  link_used: "This link was used before",
  link_expired: "This link has expired",
};

function whyFailed(error: unknown): string {
  return error instanceof ApiError
    ? sentenceOf(error, "Verification failed")
    : "An error occurred during verification";
}
