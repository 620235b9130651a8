import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { getErrorMessage, getFieldErrors, hasStatus } from "@/api/api-error";
import { setUsername, updateProfile, usernameAvailabilityQuery } from "@/api/profile";
import { refetchCurrentUser, useCurrentUser } from "@/api/auth";
import type { UsernameAvailability } from "@/api/types";
import { readStorage, writeStorage } from "@/lib/storage/web-storage";
import { useDebouncedValue } from "@/lib/hooks/use-debounced-value";
import { normalizeUsername, MIN_USERNAME_LENGTH } from "@/lib/text/username";
import { Button } from "@/ui/button";
import { SubmitButton } from "@/ui/submit-button";
import { TextField } from "@/ui/text-field";
import { useServerForm } from "@/components/use-server-form";
import { acceptRules } from "@/api/site";
import { getSiteName, site } from "@/lib/site";
import { useStore } from "@/lib/state/store";

const DEBOUNCE_MS = 300;

/** Asks a new member to choose a username, until they have. */
export function OnboardingCard() {
  const currentUser = useCurrentUser();
  const key = `kith:welcome-later:${currentUser.id}`;
  const [isPostponed, setPostponed] = useState(() => Boolean(readStorage("sessionStorage", key)));
  const [wasToggled, setToggled] = useState(false);
  if (!currentUser.usernameIsProvisional) return null;

  function postpone(next: boolean) {
    setPostponed(next);
    setToggled(true);
    writeStorage("sessionStorage", key, next ? "1" : null);
  }

  return (
    <section
      aria-label={t`Welcome`}
      className="border-t border-border bg-muted/60 px-4 py-3 sm:px-5"
    >
      {isPostponed ? (
        <div className="flex items-center justify-between gap-4">
          <p className="min-w-0 text-body-sm wrap-anywhere text-muted-foreground">
            <Trans>You are @{currentUser.username} for now.</Trans>
          </p>
          <Button
            variant="outline"
            size="small"
            autoFocus={wasToggled}
            onClick={() => postpone(false)}
          >
            <Trans>Choose username</Trans>
          </Button>
        </div>
      ) : (
        <>
          <h2 className="pt-2 font-serif text-heading leading-9">
            {t`Welcome to ${{ siteName: getSiteName() }}`}
          </h2>
          <p className="mb-5 text-body-sm text-muted-foreground">
            <Trans>How should people know you? You can choose your username only once.</Trans>
          </p>
          <OnboardingForm autoFocus={wasToggled} onPostpone={() => postpone(true)} />
        </>
      )}
    </section>
  );
}

function OnboardingForm({ autoFocus, onPostpone }: { autoFocus: boolean; onPostpone: () => void }) {
  const currentUser = useCurrentUser();
  const [values, setValues] = useState({ username: "", displayName: "" });
  const { rulesVersion } = useStore(site);
  const completeOnboarding = useMutation({
    async mutationFn({ username, displayName }: typeof values) {
      if (displayName.trim() !== "") await updateProfile({ displayName });
      // A failure is no reason to stop: the rules are shown again on Home.
      if (rulesVersion > 0) await acceptRules(rulesVersion).catch(() => undefined);
      // Last: it can be chosen only once, and then nothing is left that could fail.
      await setUsername(username);
    },
    meta: {
      success: (_: unknown, { username }: typeof values) => ({
        title: t`Welcome to ${{ siteName: getSiteName() }}`,
        description: t`You are @${username} now.`,
      }),
      // The sentence of a conflict is shown at the username.
      failure: (error: Error) =>
        hasStatus(error, 409) ? null : t`Failed to update profile. Please try again.`,
      fields: ["username", "displayName"],
    },
    onError(error) {
      // A conflict: taken by another member, or chosen already, in another tab.
      if (hasStatus(error, 409)) void refetchCurrentUser();
    },
  });
  const username = normalizeUsername(values.username);
  const debouncedUsername = useDebouncedValue(username, DEBOUNCE_MS);
  const { data: availability } = useQuery({
    ...usernameAvailabilityQuery(debouncedUsername),
    enabled: debouncedUsername.length >= MIN_USERNAME_LENGTH,
  });
  const feedback = getUsernameFeedback(
    username,
    username === debouncedUsername ? availability : undefined,
  );
  const disabled = username.length < MIN_USERNAME_LENGTH || feedback.error !== undefined;
  const { form, field, isPending } = useServerForm({
    values,
    setValues,
    mutation: completeOnboarding,
    toVariables: ({ displayName }) => (disabled ? null : { username, displayName }),
    describeError: (error) =>
      hasStatus(error, 409)
        ? { username: getErrorMessage(error, t`This username cannot be chosen.`) }
        : getFieldErrors(error),
  });
  const usernameField = field("username");

  return (
    <form {...form} className="pb-2">
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          {...usernameField}
          label={t`Username`}
          hint={feedback.hint}
          error={usernameField.error ?? feedback.error}
          live
          autoFocus={autoFocus}
          onChange={(event) => {
            usernameField.onChange(event);
            completeOnboarding.reset();
          }}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
        <TextField
          {...field("displayName")}
          label={t`Display Name`}
          hint={t`You appear as “${currentUser.displayName}” now.`}
          autoComplete="name"
          dir="auto"
        />
      </div>
      {rulesVersion > 0 && (
        <p className="mt-4 text-sm text-muted-foreground">
          <Trans>
            By saving you agree to the{" "}
            <a
              href="/rules"
              target="_blank"
              rel="noreferrer"
              className="underline underline-offset-2 hover:text-foreground"
            >
              rules
            </a>
            .
          </Trans>
        </p>
      )}
      <div className="mt-4 flex gap-3">
        <SubmitButton
          isPending={isPending}
          pending={t`Saving...`}
          disabled={disabled}
          className="min-w-26"
        >
          <Trans>Save</Trans>
        </SubmitButton>
        <Button variant="ghost" disabled={isPending} onClick={onPostpone}>
          <Trans>Later</Trans>
        </Button>
      </div>
    </form>
  );
}

/** The note for a name and what the server said about it, if it has been asked. */
export function getUsernameFeedback(
  name: string,
  availability: UsernameAvailability | undefined,
): { hint: string; error?: string } {
  if (name.length < MIN_USERNAME_LENGTH || !availability) {
    return { hint: t`3 to 20 letters a-z, digits or underscores.` };
  }
  const hint = t`@${name} is available.`;
  if (availability.available) return { hint };
  return { hint, error: availability.message ?? t`This username cannot be chosen.` };
}
