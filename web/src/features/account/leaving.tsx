import { useMutation, useQuery } from "@tanstack/react-query";
import { accountQuery, keepAccount } from "@/api/account";
import { sentenceOf } from "@/api/error";
import { showFailure } from "@/api/failure";
import { focusMain } from "@/lib/focus-main";
import { longDate } from "@/lib/time";
import { toast } from "@/lib/toast";
import { Button } from "@/ui/button";

const failure = "Failed to keep your account. Please try again.";

/** Says above the settings that the account will be deleted, and offers to keep it. */
export function Leaving() {
  const { data } = useQuery(accountQuery);
  const keep = useMutation({
    mutationFn: keepAccount,
    onSuccess() {
      toast({ title: "You are staying", description: "Your account will not be deleted." });
      focusMain();
    },
    onError: (error) => showFailure(error, sentenceOf(error, failure)),
  });
  if (!data?.deletion) return null;
  return (
    <section
      aria-label="Your account will be deleted"
      className="mt-6 flex flex-wrap items-center justify-between gap-4 rounded-2xl border border-danger p-5"
    >
      <p>
        Your account and everything in it will be deleted on{" "}
        <strong className="font-semibold">{longDate(data.deletion.deleteAt)}</strong>.
      </p>
      <Button aria-disabled={keep.isPending} onClick={() => !keep.isPending && keep.mutate()}>
        {keep.isPending ? "Keeping..." : "Keep my account"}
      </Button>
    </section>
  );
}
