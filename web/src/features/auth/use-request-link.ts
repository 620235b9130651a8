import { useMutation } from "@tanstack/react-query";
import { sentenceOf } from "@/api/error";
import { requestLoginLink, requestMagicLink } from "@/api/session";
import { toast, toastError } from "@/lib/toast";

/** Whether the member is new here or has an account. */
export type LoginMode = "signup" | "login";

const texts = {
  signup: {
    success: "We sent you a magic link to log in.",
    failure: "Failed to send magic link. Please try again.",
  },
  login: {
    success: "If an account exists, we've sent you a magic link.",
    failure: "Failed to send login link. Please try again.",
  },
};

interface Request {
  mode: LoginMode;
  email: string;
  inviteCode: string;
}

/** Asks for a mailed link and says how that went. */
export function useRequestLink() {
  return useMutation({
    mutationFn: ({ mode, email, inviteCode }: Request) =>
      mode === "signup" ? requestMagicLink(email, inviteCode) : requestLoginLink(email),
    onSuccess: (_, { mode }) =>
      toast({ title: "Check your email!", description: texts[mode].success }),
    onError: (error, { mode }) => toastError(sentenceOf(error, texts[mode].failure)),
  });
}
