import { plural, t } from "@lingui/core/macro";
import { SelectField } from "@/ui/select-field";

const DAY = 24 * 60 * 60 * 1000;
const durations = [1, 7, 30];

interface Props {
  /** A number of days; empty for a sanction without an end. */
  value: string;
  onChange: (value: string) => void;
}

/** Where a moderator chooses how long a sanction lasts. */
export function DurationField({ value, onChange }: Props) {
  return (
    <SelectField label={t`For how long?`} value={value} onChange={onChange}>
      <option value="">{t`Until it is lifted`}</option>
      {durations.map((days) => (
        <option key={days} value={days}>
          {plural(days, { one: "# day", other: "# days" })}
        </option>
      ))}
    </SelectField>
  );
}

/** The time that many days from now; `undefined` without a number of days. */
export function endAfter(days: string): string | undefined {
  return days === "" ? undefined : new Date(Date.now() + Number(days) * DAY).toISOString();
}
