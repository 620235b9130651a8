import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useMutation } from "@tanstack/react-query";
import { type QuietHours, setQuietHours, setOptimisticSettings } from "@/api/notification-settings";

const DEFAULT_HOURS = { from: "22:00", until: "07:00" };

/** Times in which nothing is pushed to the member. */
export function QuietHoursSettings({ hours }: { hours: QuietHours | null }) {
  const save = useMutation({
    mutationFn: setQuietHours,
    onMutate: (quietHours: QuietHours | null) => setOptimisticSettings({ quietHours }),
    onError: (_error, _hours, takeBack) => takeBack?.(),
    meta: { failure: t`Failed to change your quiet hours. Please try again.` },
  });
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  const change = (field: "from" | "until", time: string) => {
    // A field that is being typed in is empty until its time is complete.
    if (hours && time && time !== hours[field]) save.mutate({ ...hours, timeZone, [field]: time });
  };
  return (
    <fieldset className="pt-4">
      <label className="flex min-h-11 w-fit items-center gap-3">
        <input
          type="checkbox"
          checked={hours !== null}
          onChange={({ target }) =>
            save.mutate(target.checked ? { ...DEFAULT_HOURS, timeZone } : null)
          }
          className="size-[18px] shrink-0 accent-primary-strong"
        />
        <Trans>Quiet hours: nothing is pushed, and one summary follows</Trans>
      </label>
      {hours && (
        <p className="flex flex-wrap items-center gap-x-3 gap-y-2 ps-[30px] pt-1 text-muted-foreground">
          <TimeField
            key={`from ${hours.from}`}
            label={t`Quiet from`}
            value={hours.from}
            onChange={(time) => change("from", time)}
          />
          <span aria-hidden>–</span>
          <TimeField
            key={`until ${hours.until}`}
            label={t`Quiet until`}
            value={hours.until}
            onChange={(time) => change("until", time)}
          />
          <span className="text-sm">{hours.timeZone.replaceAll("_", " ")}</span>
        </p>
      )}
    </fieldset>
  );
}

interface TimeFieldProps {
  label: string;
  value: string;
  onChange: (time: string) => void;
}

/** A time of the day. It is changed once the member has left the field: typing passes through other times. */
function TimeField({ label, value, onChange }: TimeFieldProps) {
  return (
    <input
      type="time"
      aria-label={label}
      defaultValue={value}
      onBlur={({ target }) => onChange(target.value)}
      className="h-11 rounded-full border border-border bg-background px-4 text-base text-foreground outline-none focus:border-primary focus:ring-3 focus:ring-primary/20"
    />
  );
}
