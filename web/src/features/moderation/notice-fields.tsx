import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import type { NoteForm } from "@/components/note-dialog";
import { MAX_NOTE_LENGTH, noteLength } from "@/components/report-reasons";
import { site } from "@/lib/site";
import { useStore } from "@/lib/state/store";
import { SelectField } from "@/ui/select-field";
import { TextAreaField, TextField } from "@/ui/text-field";
import { MAX_RULE_LENGTH, ruleListQuery } from "./rule-list";

/** What the notice to a member says: the rule that was broken, and a message. */
export function NoticeFields({ username, ...form }: NoteForm & { username: string }) {
  return (
    <>
      <RuleField {...form} />
      <TextAreaField
        {...form.field("message")}
        label={t`Message to @${username} (optional)`}
        hint={t`We email it to them.`}
        length={noteLength(form.values.message)}
        max={MAX_NOTE_LENGTH}
        rows={2}
        dir="auto"
        className="min-h-20"
      />
    </>
  );
}

/** A choice of the network's rules; a line of text where they can't be listed. */
function RuleField({ values, setValues, field, isPending }: NoteForm) {
  const hasRules = useStore(site).pages.includes("rules");
  const { data: rules = [], isFetching } = useQuery({ ...ruleListQuery, enabled: hasRules });
  if (rules.length === 0 && !isFetching) {
    return (
      <TextField
        {...field("rule")}
        label={t`Rule (optional)`}
        maxLength={MAX_RULE_LENGTH}
        dir="auto"
        autoComplete="off"
      />
    );
  }
  // What was chosen earlier stays, also where the rules have changed since.
  const isListed = values.rule === "" || rules.includes(values.rule);
  const options = isListed ? rules : [values.rule, ...rules];
  return (
    <SelectField
      label={t`Rule`}
      value={values.rule}
      disabled={isPending}
      onChange={(rule) => setValues({ ...values, rule })}
    >
      <option value="">{t`No particular rule`}</option>
      {options.map((rule) => (
        <option key={rule} value={rule}>
          {rule}
        </option>
      ))}
    </SelectField>
  );
}
