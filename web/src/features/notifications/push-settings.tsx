import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useMutation, useQuery } from "@tanstack/react-query";
import { api } from "@/api/client";
import {
  isPushSupported,
  type Push,
  pushQuery,
  subscribeToPush,
  unsubscribeFromPush,
} from "@/api/push";
import { QueryView } from "@/components/query-view";
import { getSiteName } from "@/lib/site";
import { toastError } from "@/lib/state/toast";
import { Button } from "@/ui/button";
import { Skeleton } from "@/ui/skeleton";

/** What the member wants of this browser. */
type Choice = "off" | "without-text" | "with-text";

/** Lets a member choose whether this browser is pushed to. */
export function PushSettings() {
  const isSupported = isPushSupported();
  const siteName = getSiteName();
  const query = useQuery({ ...pushQuery, enabled: isSupported });
  if (!isSupported) {
    return (
      <p className="pt-4 text-muted-foreground">
        <Trans>
          This browser can't show push notifications. On an iPhone, add {siteName} to the home
          screen first.
        </Trans>
      </p>
    );
  }
  return (
    <QueryView query={query} loading={<Skeleton className="mt-4 h-11 w-64" />}>
      {(push) => <PushChoice push={push} />}
    </QueryView>
  );
}

function PushChoice({ push }: { push: Push }) {
  const choose = useMutation({
    async mutationFn(choice: Choice) {
      if (choice === "off") return unsubscribeFromPush();
      if (await subscribeToPush(push.publicKey, choice === "with-text")) return undefined;
      toastError(
        t`Allow notifications from ${{ siteName: getSiteName() }} in your browser's settings first.`,
      );
      return undefined;
    },
    meta: { failure: t`Failed to change the push notifications of this device.` },
  });
  const test = useMutation({
    mutationFn: () => api.POST("/api/push/test"),
    meta: {
      success: { title: t`The test is on its way` },
      failure: t`Failed to send the test. Please try again.`,
      invalidates: [pushQuery.queryKey],
    },
  });
  const { subscription } = push;
  return (
    <div className="pt-4">
      <label className="flex min-h-11 w-fit items-center gap-3">
        <input
          type="checkbox"
          checked={Boolean(subscription)}
          disabled={choose.isPending}
          onChange={({ target }) => choose.mutate(target.checked ? "without-text" : "off")}
          className="size-[18px] shrink-0 accent-primary-strong"
        />
        <Trans>Push notifications on this device</Trans>
      </label>
      {subscription && (
        <div className="flex flex-wrap items-center gap-x-6 gap-y-2 ps-[30px]">
          <label className="flex min-h-11 w-fit items-center gap-3">
            <input
              type="checkbox"
              checked={subscription.showsText}
              disabled={choose.isPending}
              onChange={({ target }) =>
                choose.mutate(target.checked ? "with-text" : "without-text")
              }
              className="size-[18px] shrink-0 accent-primary-strong"
            />
            <Trans>Show the text of posts</Trans>
          </label>
          <Button
            variant="outline"
            size="small"
            aria-disabled={test.isPending}
            onClick={() => test.mutate()}
          >
            <Trans>Send me a test</Trans>
          </Button>
        </div>
      )}
    </div>
  );
}
