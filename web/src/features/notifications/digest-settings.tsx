import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useMutation } from "@tanstack/react-query";
import { setOptimisticSettings, updateNotificationSettings } from "@/api/notification-settings";

/** Whether the member gets an email about what is waiting. */
export function DigestSettings({ isOn }: { isOn: boolean }) {
  const update = useMutation({
    mutationFn: updateNotificationSettings,
    onMutate: ({ weeklyDigest }: { weeklyDigest: boolean }) =>
      setOptimisticSettings({ weeklyDigest }),
    onError: (_error, _changes, takeBack) => takeBack?.(),
    meta: { failure: t`Failed to change your weekly email. Please try again.` },
  });
  return (
    <label className="mt-4 flex min-h-11 w-fit items-center gap-3">
      <input
        type="checkbox"
        checked={isOn}
        onChange={({ target }) => update.mutate({ weeklyDigest: target.checked })}
        className="size-[18px] shrink-0 accent-primary-strong"
      />
      <Trans>A weekly email with what you missed, if you haven't been here</Trans>
    </label>
  );
}
