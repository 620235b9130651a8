import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { ApiError } from "@/api/api-error";
import { updateProfile } from "@/api/profile";
import { refetchCurrentUser, useCurrentUser } from "@/api/auth";
import { postLength } from "@/lib/text/post-text";
import { Button } from "@/ui/button";
import ConfirmDialog from "@/ui/confirm-dialog";
import Dialog from "@/ui/dialog";
import { SubmitButton } from "@/ui/submit-button";
import { TextAreaField, TextField } from "@/ui/text-field";
import { useServerForm } from "@/components/use-server-form";
import { getDirtyFields, type ProfileFields, omitFields } from "./dirty-fields";

const MAX_BIO_LENGTH = 160;

/** Changes one's own profile, and asks before changes are lost. */
export default function EditProfileDialog({ onClose }: { onClose: () => void }) {
  const { displayName, bio, website } = useCurrentUser();
  const [values, setValues] = useState({ displayName, bio: bio ?? "", website: website ?? "" });
  const [initial, setInitial] = useState<ProfileFields>(values);
  const [isDiscarding, setDiscarding] = useState(false);
  const update = useMutation({
    mutationFn: updateProfile,
    onSuccess: onClose,
    meta: {
      success: {
        title: t`Profile updated`,
        description: t`Your profile has been updated successfully.`,
      },
      failure: t`Failed to update profile. Please try again.`,
      fields: ["displayName", "bio", "website"],
    },
    onError(error) {
      // It may have been saved all the same, and the next form must not begin with what was before.
      const isRejected = error instanceof ApiError && error.status < 500;
      if (!isRejected) void refetchCurrentUser();
    },
  });
  const { isPending } = update;
  const dirtyFields = getDirtyFields(initial, values);
  const length = postLength(values.bio);
  const isTooLong = length > MAX_BIO_LENGTH;
  const { form, field } = useServerForm({
    values,
    setValues,
    mutation: update,
    toVariables() {
      if (isTooLong) return null;
      setInitial(omitFields(initial, dirtyFields));
      return dirtyFields;
    },
  });

  function close() {
    // The dialog stays open until the changes are saved.
    if (isPending) return;
    if (Object.keys(dirtyFields).length > 0) setDiscarding(true);
    else onClose();
  }

  return (
    <>
      <Dialog onClose={close} title={t`Edit Profile`}>
        {/* The server knows more web addresses than the browser, and says what is wrong in a sentence. */}
        <form {...form} noValidate className="space-y-5 px-6 pt-5 pb-6">
          <TextField
            {...field("displayName")}
            label={t`Display Name`}
            autoComplete="name"
            dir="auto"
          />
          <TextAreaField
            {...field("bio")}
            label={t`Bio`}
            length={length}
            max={MAX_BIO_LENGTH}
            rows={3}
            dir="auto"
            className="min-h-26"
          />
          <TextField
            {...field("website")}
            type="url"
            label={t`Website`}
            autoComplete="url"
            placeholder="https://example.org"
          />
          <div className="flex justify-end gap-3 pt-1">
            <Button variant="outline" disabled={isPending} onClick={close}>
              <Trans>Cancel</Trans>
            </Button>
            <SubmitButton
              isPending={isPending}
              pending={t`Saving...`}
              disabled={isTooLong}
              className="min-w-26"
            >
              <Trans>Save</Trans>
            </SubmitButton>
          </div>
        </form>
      </Dialog>
      {isDiscarding && (
        <ConfirmDialog
          title={t`Discard your changes?`}
          description={t`The changes to your profile aren't saved.`}
          action={t`Discard`}
          cancel={t`Keep editing`}
          onConfirm={onClose}
          onClose={() => setDiscarding(false)}
        />
      )}
    </>
  );
}
