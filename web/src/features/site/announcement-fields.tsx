import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useMutation } from "@tanstack/react-query";
import { api } from "@/api/client";
import { queryKeys } from "@/api/query-keys";
import type { SiteSettings } from "@/api/types";
import { countGraphemes } from "@/lib/text/graphemes";
import { ConfirmButton } from "@/ui/action-button";
import { Section } from "@/ui/section";
import { TextAreaField } from "@/ui/text-field";
import type { SettingsField } from "./registration-fields";
import { MAX_ANNOUNCEMENT_LENGTH, type SettingsValues } from "./settings-values";

interface Props {
  settings: SiteSettings;
  values: SettingsValues;
  field: SettingsField;
}

/** Where an admin writes the announcement, and mails the one that is saved. */
export function AnnouncementFields({ settings, values, field }: Props) {
  const { announcement, announcementVersion, announcementIsMailed } = settings;
  const mail = useMutation({
    mutationFn: () =>
      api.POST("/api/admin/settings/announcement/mails", {
        body: { version: announcementVersion },
      }),
    meta: {
      success: { title: t`The emails are on their way` },
      failure: t`Failed to send the emails. Please try again.`,
      invalidates: [queryKeys.siteSettings],
    },
  });
  const isSaved = announcement !== null && values.announcement.trim() === announcement;
  return (
    <Section
      title={t`Announcement`}
      text={t`What all members see above their feed, until they close it.`}
    >
      <div className="mt-5">
        <TextAreaField
          {...field("announcement")}
          label={t`Text of the announcement`}
          length={countGraphemes(values.announcement)}
          max={MAX_ANNOUNCEMENT_LENGTH}
          rows={4}
          dir="auto"
        />
      </div>
      {isSaved && (
        <div className="mt-3 flex flex-wrap items-center gap-3">
          {announcementIsMailed ? (
            <p className="text-sm text-muted-foreground">
              <Trans>It was emailed to all members.</Trans>
            </p>
          ) : (
            <ConfirmButton
              mutation={mail}
              confirm={{
                title: t`Email this to all members?`,
                description: t`Each member gets it once. It cannot be taken back.`,
                action: t`Send`,
                pendingAction: t`Sending...`,
              }}
            >
              <Trans>Email it to all members</Trans>
            </ConfirmButton>
          )}
        </div>
      )}
    </Section>
  );
}
