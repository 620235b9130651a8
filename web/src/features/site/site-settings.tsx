import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { hasStatus } from "@/api/api-error";
import { api, unwrap } from "@/api/client";
import { queryClient } from "@/api/query-client";
import { queryKeys } from "@/api/query-keys";
import { showSettings, siteSettingsQuery } from "@/api/site";
import type { SiteSettings, SiteSettingsUpdate } from "@/api/types";
import { QueryView } from "@/components/query-view";
import { discardPreservedInput, usePreservedInput } from "@/components/use-preserved-input";
import { useServerForm } from "@/components/use-server-form";
import { BUILT_IN_ACCENT, isHexColor } from "@/lib/accent";
import { cx } from "@/lib/dom/cx";
import { countGraphemes } from "@/lib/text/graphemes";
import { Button } from "@/ui/button";
import { Section } from "@/ui/section";
import { Skeleton, SkeletonList } from "@/ui/skeleton";
import { SubmitButton } from "@/ui/submit-button";
import { TextAreaField, TextField } from "@/ui/text-field";
import { AnnouncementFields } from "./announcement-fields";
import { IconField } from "./icon-field";
import { MarkdownField } from "./markdown-field";
import { RegistrationFields } from "./registration-fields";
import { SelectField } from "@/ui/select-field";
import {
  applyChanges,
  findProblem,
  getChanges,
  MAX_LINE_LENGTH,
  type SettingsValues,
  toUpdate,
  toValues,
} from "./settings-values";
import { SitePreview } from "./site-preview";

const FORM = "site-settings";

const skeleton = (
  <SkeletonList count={4} layout="space-y-7 px-4 pt-10 sm:px-5" className="space-y-3">
    {() => (
      <>
        <Skeleton className="h-3.5 w-24" />
        <Skeleton className="h-12 w-full" />
      </>
    )}
  </SkeletonList>
);

/** Where an admin names the network and writes its pages. */
export function SiteSettingsTab() {
  const query = useQuery(siteSettingsQuery);
  return (
    <QueryView query={query} loading={skeleton}>
      {(settings) => <SettingsForm settings={settings} />}
    </QueryView>
  );
}

function SettingsForm({ settings }: { settings: SiteSettings }) {
  const saved = toValues(settings);
  // Only what was changed: the rest follows what another admin saves.
  const [changes, setChanges] = usePreservedInput<Partial<SettingsValues>>(FORM, {});
  const values = applyChanges(saved, changes);
  function setValues(next: SettingsValues) {
    clearProblem();
    setChanges(getChanges(saved, values, next));
  }
  const save = useMutation({
    mutationFn: async (body: SiteSettingsUpdate) =>
      unwrap(
        await api.PUT("/api/admin/settings", { body: { ...body, version: settings.version } }),
      ),
    meta: {
      success: { title: t`Settings saved` },
      failure: t`Failed to save the settings. Please try again.`,
      fields: Object.keys(values),
    },
    onError(error) {
      // Another admin was faster. What is typed stays, to be saved again on top of that.
      if (hasStatus(error, 409)) {
        void queryClient.invalidateQueries({ queryKey: queryKeys.siteSettings });
      }
    },
    onSuccess(next) {
      showSettings(next);
      setChanges({});
      discardPreservedInput(FORM);
    },
  });
  const isDirty = Object.keys(changes).length > 0;
  const { form, field, isPending, clearProblem } = useServerForm({
    values,
    setValues,
    mutation: save,
    validate: findProblem,
    toVariables: toUpdate,
  });
  const accent = field("accentColor");

  useEffect(() => {
    if (!isDirty) return;
    // Other screens keep what was typed; closing the tab would lose it.
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", ask);
    return () => removeEventListener("beforeunload", ask);
  }, [isDirty]);

  function discard() {
    save.reset();
    clearProblem();
    setChanges({});
    discardPreservedInput(FORM);
  }

  return (
    <form
      {...form}
      noValidate
      // What takes the focus is above the bar with the buttons, with the sentence below it.
      className="px-4 pb-16 sm:px-5 [&_:is(input,textarea)]:scroll-mb-44"
    >
      <Section title={t`Identity`} text={t`What the network is called, everywhere in it.`}>
        <div className="mt-5 space-y-5">
          <TextField {...field("name")} label={t`Name`} autoComplete="off" dir="auto" />
          <TextAreaField
            {...field("description")}
            label={t`Description`}
            length={countGraphemes(values.description)}
            max={MAX_LINE_LENGTH}
            rows={2}
            dir="auto"
          />
          <TextField
            {...field("contact")}
            label={t`Contact`}
            hint={t`An email or a web address, which the pages about the network link.`}
            autoComplete="off"
          />
          <SelectField
            label={t`Default language`}
            value={values.defaultLanguage}
            disabled={isPending}
            onChange={(defaultLanguage) => setValues({ ...values, defaultLanguage })}
          >
            <option value="">{t`Same as the browser`}</option>
            <option value="en" lang="en">
              English
            </option>
            <option value="de" lang="de">
              Deutsch
            </option>
          </SelectField>
        </div>
      </Section>
      <Section title={t`Appearance`}>
        <div className="mt-5 space-y-5">
          <IconField iconUrl={settings.iconUrl} />
          <TextField {...field("headline")} label={t`Headline`} autoComplete="off" dir="auto" />
          <TextField {...field("tagline")} label={t`Tagline`} autoComplete="off" dir="auto" />
          <div className="flex items-start gap-3">
            <div className="min-w-0 flex-1">
              <TextField
                {...accent}
                label={t`Accent color`}
                hint={t`Such as #d24a1a. Leave it empty for the built-in color.`}
                autoComplete="off"
                spellCheck={false}
              />
            </div>
            <input
              type="color"
              aria-label={t`Choose the accent color`}
              value={isHexColor(values.accentColor) ? values.accentColor : BUILT_IN_ACCENT}
              disabled={isPending}
              onChange={accent.onChange}
              className="mt-6.5 h-12 w-14 shrink-0 rounded-2xl border border-border bg-background p-1.5"
            />
          </div>
          <SitePreview values={values} />
        </div>
      </Section>
      <AnnouncementFields settings={settings} values={values} field={field} />
      <RegistrationFields
        values={values}
        field={field}
        isPending={isPending}
        onRegistration={(registration) => setValues({ ...values, registration })}
      />
      <Section
        title={t`Pages`}
        text={t`In Markdown. An empty text shows the built-in terms and privacy policy, and no rules or imprint.`}
      >
        <div className="mt-5 space-y-7">
          <MarkdownField {...field("rules")} label={t`Rules`} />
          <MarkdownField {...field("terms")} label={t`Terms`} />
          <MarkdownField {...field("privacy")} label={t`Privacy`} />
          <MarkdownField {...field("imprint")} label={t`Imprint`} />
        </div>
      </Section>
      <div
        className={cx(
          "mt-8 flex flex-wrap items-center justify-end gap-3 border-t border-border bg-background py-3",
          // On small screens above the bar at the bottom, which comes and goes.
          isDirty && "sticky bottom-0 z-10 max-md:pb-[calc(env(safe-area-inset-bottom)+4.5rem)]",
        )}
      >
        <p role="status" className="me-auto text-sm text-muted-foreground max-sm:sr-only">
          {isDirty && t`You have unsaved changes.`}
        </p>
        {isDirty && (
          <Button variant="outline" disabled={isPending} onClick={discard}>
            <Trans>Discard</Trans>
          </Button>
        )}
        <SubmitButton
          isPending={isPending}
          pending={t`Saving...`}
          disabled={!isDirty}
          className="min-w-26"
        >
          <Trans>Save</Trans>
        </SubmitButton>
      </div>
    </form>
  );
}
