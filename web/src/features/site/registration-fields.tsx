import { t } from "@lingui/core/macro";
import type { useServerForm } from "@/components/use-server-form";
import { countGraphemes } from "@/lib/text/graphemes";
import { Section } from "@/ui/section";
import { TextAreaField, TextField } from "@/ui/text-field";
import { SelectField } from "@/ui/select-field";
import type { SettingsValues } from "./settings-values";

/** Enough for six topics with long names. */
const MAX_TOPICS_LENGTH = 1_000;

type FieldName = keyof SettingsValues;

/** Returns the properties of a field of the form by its name. */
export type SettingsField = ReturnType<typeof useServerForm<SettingsValues, unknown>>["field"];

interface Props {
  values: SettingsValues;
  field: SettingsField;
  isPending: boolean;
  onRegistration: (mode: string) => void;
}

/** Who can join, how many invites members have, limits for new members, and the topics that are pinned. */
export function RegistrationFields({ values, field, isPending, onRegistration }: Props) {
  const numberField = (name: FieldName) => ({
    ...field(name),
    inputMode: "numeric" as const,
    autoComplete: "off",
  });
  return (
    <>
      <Section title={t`Registration`} text={t`Who can join, and how many friends members invite.`}>
        <div className="mt-5 space-y-5">
          <SelectField
            label={t`Who can join`}
            value={values.registration}
            disabled={isPending}
            onChange={onRegistration}
          >
            <option value="open">{t`With an invite, or from the waitlist`}</option>
            <option value="closed">{t`Only with an invite from the operator`}</option>
          </SelectField>
          <TextField
            {...numberField("invitesPerMonth")}
            label={t`Invites per member and month`}
            hint={t`0 to 100. A change also counts for earlier months.`}
          />
          <TextField
            {...numberField("inviteDays")}
            label={t`Days for which an invite works`}
            hint={t`1 to 90.`}
          />
        </div>
      </Section>
      <Section
        title={t`New members`}
        text={t`Limits for the first days. Moderators and admins have none.`}
      >
        <div className="mt-5 space-y-5">
          <TextField
            {...numberField("newMemberDays")}
            label={t`Days for which members are new`}
            hint={t`0 to 30. With 0 there are no limits for new members.`}
          />
          <TextField
            {...numberField("newMemberPosts")}
            label={t`Posts of a new member a day`}
            hint={t`1 to 300.`}
          />
          <TextField
            {...numberField("newMemberFollows")}
            label={t`Follows of a new member a day`}
            hint={t`1 to 400.`}
          />
        </div>
      </Section>
      <Section
        title={t`Topics`}
        text={t`What the trending list begins with, up to six: one per line, each with its category, such as WebDev: Technology.`}
      >
        <div className="mt-5">
          <TextAreaField
            {...field("pinnedTopics")}
            label={t`Pinned topics`}
            length={countGraphemes(values.pinnedTopics)}
            max={MAX_TOPICS_LENGTH}
            rows={6}
            dir="auto"
          />
        </div>
      </Section>
    </>
  );
}
