import { useInfiniteQuery, useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { fieldsOf, hasStatus, sentenceOf } from "@/api/error";
import { showFailure } from "@/api/failure";
import type { Vouch } from "@/api/types";
import { refreshVouches, takeVouchBack, vouchesQuery, vouchFor } from "@/api/vouches";
import { focusMain } from "@/lib/focus-main";
import { longDate } from "@/lib/time";
import { toast } from "@/lib/toast";
import { Button } from "@/ui/button";
import { Field } from "@/ui/field";
import { LoadMore } from "@/ui/load-more";
import { FailureNotice } from "@/ui/notice";
import { onFirstClick } from "@/ui/on-first-click";
import { useFocusInvalid } from "@/ui/use-focus-invalid";

/** The member's word for friends who wait: a field for one more, and those given so far. */
export function Vouches() {
  const query = useInfiniteQuery(vouchesQuery);
  const { data, error } = query;
  const vouches = data?.pages.flatMap((page) => page.rows) ?? [];
  return (
    <>
      <p className="max-w-prose pt-2 text-muted">
        A friend is on the waitlist and you have no invite left? Whoever lets people in sees that
        you know them. We cannot tell you whether an address is on the list.
      </p>
      <VouchForm />
      {vouches.length > 0 && (
        <ul aria-label="You vouch for" className="pt-4">
          {vouches.map((vouch) => (
            <VouchRow key={vouch.id} vouch={vouch} />
          ))}
        </ul>
      )}
      <LoadMore query={query} />
      {!data && error && (
        <FailureNotice error={error} onRetry={() => void query.refetch()} isBelow />
      )}
    </>
  );
}

function VouchForm() {
  const [email, setEmail] = useState("");
  const vouch = useMutation({
    mutationFn: vouchFor,
    onSuccess(made) {
      setEmail("");
      toast({ title: "You vouch for them", description: made.email });
    },
    onError(error) {
      if (fieldsOf(error)["email"] !== undefined) return;
      showFailure(error, sentenceOf(error, "Failed to vouch. Please try again."));
    },
  });
  const form = useFocusInvalid(vouch.error);

  function submit(event: FormEvent) {
    event.preventDefault();
    if (!vouch.isPending && email.trim() !== "") vouch.mutate(email.trim());
  }

  return (
    <form ref={form} onSubmit={submit} noValidate className="max-w-md space-y-4 pt-4">
      <Field
        type="email"
        label="Your friend's address"
        error={fieldsOf(vouch.error)["email"]}
        value={email}
        onChange={(event) => setEmail(event.target.value)}
        placeholder="friend@example.com"
        autoComplete="off"
      />
      <Button type="submit" look="outline" aria-disabled={vouch.isPending}>
        {vouch.isPending ? "Vouching..." : "Vouch"}
      </Button>
    </form>
  );
}

function VouchRow({ vouch: { id, email, createdAt } }: { vouch: Vouch }) {
  const takeBack = useMutation({
    mutationFn: () => takeVouchBack(id),
    onSuccess() {
      toast({ title: "Taken back", description: email });
      // The button goes with its row.
      focusMain();
    },
    onError(error) {
      // Another tab was faster.
      if (hasStatus(error, 404)) {
        void refreshVouches();
        focusMain();
      }
      showFailure(error, sentenceOf(error, "Failed to take it back. Please try again."));
    },
  });
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-b border-line py-3.5">
      <span className="min-w-0 leading-5">
        <span className="block [overflow-wrap:anywhere]">{email}</span>
        <span className="text-sm text-muted">
          Since <time dateTime={createdAt}>{longDate(createdAt)}</time>
        </span>
      </span>
      <Button
        look="quiet"
        size="small"
        data-row
        aria-label={`Take back your word for ${email}`}
        aria-disabled={takeBack.isPending}
        onClick={onFirstClick(() => !takeBack.isPending && takeBack.mutate())}
      >
        Take back
      </Button>
    </li>
  );
}
