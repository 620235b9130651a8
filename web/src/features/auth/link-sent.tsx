import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { sentenceOf } from "@/api/error";
import { refreshMe, verifyCode } from "@/api/session";
import { Button } from "@/ui/button";
import { Field } from "@/ui/field";

const CODE_LENGTH = 8;

interface Props {
  email: string;
  onBack: () => void;
}

/** What to do now that the mail is on its way: follow its link, or type its code here. */
export function LinkSent({ email, onBack }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  const [code, setCode] = useState("");
  const verify = useMutation({
    mutationFn: verifyCode,
    onSuccess: refreshMe,
  });
  const complete = code.replace(/[^A-Z0-9]/g, "").length === CODE_LENGTH;

  useEffect(() => heading.current?.focus(), []);

  function submit(event: FormEvent) {
    event.preventDefault();
    if (complete && !verify.isPending) verify.mutate(code.replace(/[^A-Z0-9]/g, ""));
  }

  return (
    <div className="space-y-5 px-6 pt-4 pb-6">
      <div>
        <h2 ref={heading} tabIndex={-1} className="text-lg font-semibold outline-none">
          Check your email
        </h2>
        <p className="mt-1 text-muted [overflow-wrap:anywhere]">
          We sent a link to <strong className="font-semibold text-ink">{email}</strong>. The link
          expires in 15 minutes.
        </p>
      </div>
      <form onSubmit={submit} className="space-y-4 border-t border-line pt-5">
        <Field
          label="Or enter the code from the email"
          hint="Eight letters and digits. Works only in this browser."
          error={
            verify.isError
              ? sentenceOf(verify.error, "That didn't work. Please try again.")
              : undefined
          }
          value={code}
          onChange={(event) => setCode(event.target.value.toUpperCase())}
          maxLength={12}
          autoComplete="one-time-code"
          autoCapitalize="characters"
          spellCheck={false}
          className="text-center text-lg font-medium tracking-[0.3em]"
        />
        <Button
          type="submit"
          size="large"
          className="w-full"
          disabled={!complete || verify.isPending}
        >
          {verify.isPending ? "Logging in..." : "Log in with code"}
        </Button>
      </form>
      <p className="text-center">
        <button
          type="button"
          onClick={onBack}
          className="min-h-9 text-[15px] font-semibold text-ember-deep hover:underline"
        >
          Back to login
        </button>
      </p>
    </div>
  );
}
