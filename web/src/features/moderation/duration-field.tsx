import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useId } from "react";

const DAY = 24 * 60 * 60 * 1000;
const durations = [1, 7, 30];

interface Props {
  /** A number of days; empty for a sanction without an end. */
  value: string;
  onChange: (value: string) => void;
}

/** Where a moderator chooses how long a sanction lasts. */
export function DurationField({ value, onChange }: Props) {
  const id = useId();
  return (
    <div>
      <label htmlFor={id} className="mb-1.5 block text-sm font-medium">
        <Trans>For how long?</Trans>
      </label>
      <select
        id={id}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className="h-11 max-w-full rounded-full border border-border bg-background px-4 text-base outline-none focus:border-primary focus:ring-3 focus:ring-primary/20"
      >
        <option value="">{t`Until it is lifted`}</option>
        {durations.map((days) => (
          <option key={days} value={days}>
            {plural(days, { one: "# day", other: "# days" })}
          </option>
        ))}
      </select>
    </div>
  );
}

/** The time that many days from now; `undefined` without a number of days. */
export function endAfter(days: string): string | undefined {
  return days === "" ? undefined : new Date(Date.now() + Number(days) * DAY).toISOString();
}
