import { msg, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useMutation } from "@tanstack/react-query";
import {
  type NotificationSettings,
  setOptimisticSettings,
  updateNotificationSettings,
} from "@/api/notification-settings";

const kinds = [
  { kind: "reply", title: msg`Replies` },
  { kind: "mention", title: msg`Mentions` },
  { kind: "follow", title: msg`Follows` },
  { kind: "like", title: msg`Likes` },
  { kind: "repost", title: msg`Reposts` },
] as const;

const choices = [
  { from: "everyone", title: msg`Everyone` },
  { from: "following", title: msg`People you follow` },
  { from: "none", title: msg`No one` },
] as const;

/** The settings of each kind of notification: whose actions notify, and whether they are pushed. */
export function NotificationKinds({ settings }: { settings: NotificationSettings }) {
  const update = useMutation({
    mutationFn: (changes: Partial<Pick<NotificationSettings, (typeof kinds)[number]["kind"]>>) =>
      updateNotificationSettings(changes),
    onMutate: setOptimisticSettings,
    onError: (_error, _changes, takeBack) => takeBack?.(),
    meta: { failure: t`Failed to change your notifications. Please try again.` },
  });
  return (
    <table className="mt-3 w-full border-collapse">
      <thead className="text-start text-sm text-muted-foreground">
        <tr>
          <th scope="col" className="py-2 text-start font-medium">
            <Trans>Type</Trans>
          </th>
          <th scope="col" className="py-2 text-start font-medium">
            <Trans>From</Trans>
          </th>
          <th scope="col" className="w-14 py-2 font-medium">
            <Trans>Push</Trans>
          </th>
        </tr>
      </thead>
      <tbody>
        {kinds.map(({ kind, title }) => {
          const { from, push } = settings[kind];
          const name = t(title);
          return (
            <tr key={kind} className="border-t border-border">
              <th scope="row" className="py-2 pe-3 text-start font-normal">
                {name}
              </th>
              <td className="py-2">
                <select
                  aria-label={t`${name} from`}
                  value={from}
                  onChange={({ target }) => {
                    const choice = choices.find((each) => each.from === target.value);
                    if (choice) update.mutate({ [kind]: { from: choice.from, push } });
                  }}
                  className="h-11 w-full max-w-56 rounded-full border border-border bg-background px-3 text-base outline-none focus:border-primary focus:ring-3 focus:ring-primary/20"
                >
                  {choices.map((choice) => (
                    <option key={choice.from} value={choice.from}>
                      {t(choice.title)}
                    </option>
                  ))}
                </select>
              </td>
              <td className="py-2">
                <label className="flex min-h-11 items-center justify-center">
                  <input
                    type="checkbox"
                    aria-label={t`Push: ${name}`}
                    checked={push}
                    disabled={from === "none"}
                    onChange={({ target }) =>
                      update.mutate({ [kind]: { from, push: target.checked } })
                    }
                    className="size-[18px] accent-primary-strong disabled:opacity-40"
                  />
                </label>
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
