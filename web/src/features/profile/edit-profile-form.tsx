import { type FormEvent, useState } from "react";
import { fieldsOf } from "@/api/error";
import { useMember } from "@/api/session";
import type { ProfileUpdate } from "@/api/types";
import { postLength } from "@/lib/post-text";
import { Button } from "@/ui/button";
import { AreaField, Field } from "@/ui/field";
import { useFocusInvalid } from "@/ui/use-focus-invalid";
import { beganBut, changedParts, type ProfileParts } from "./profile-change";

const MAX_BIO_LENGTH = 160;

interface Props {
  pending: boolean;
  /** Why it could not be saved. */
  error: unknown;
  onCancel: () => void;
  onSave: (profile: ProfileUpdate) => void;
}

/** My display name, bio and website, as they are until I change them. */
export function EditProfileForm({ pending, error, onCancel, onSave }: Props) {
  const me = useMember();
  const [displayName, setDisplayName] = useState(me.displayName);
  const [bio, setBio] = useState(me.bio ?? "");
  const [website, setWebsite] = useState(me.website ?? "");
  const [began, setBegan] = useState<ProfileParts>({ displayName, bio, website });
  const form = useFocusInvalid(error);
  const fields = fieldsOf(error);
  const length = postLength(bio);
  const disabled = pending || length > MAX_BIO_LENGTH;

  function submit(event: FormEvent) {
    event.preventDefault();
    if (disabled) return;
    const change = changedParts(began, { displayName, bio, website });
    setBegan(beganBut(began, change));
    onSave(change);
  }

  return (
    // The server knows more web addresses than the browser, and says what is wrong in a sentence.
    <form ref={form} noValidate onSubmit={submit} className="space-y-5 px-6 pt-5 pb-6">
      <Field
        label="Display Name"
        error={fields["displayName"]}
        value={displayName}
        onChange={(event) => setDisplayName(event.target.value)}
        readOnly={pending}
        autoComplete="name"
        dir="auto"
      />
      <AreaField
        label="Bio"
        error={fields["bio"]}
        length={length}
        max={MAX_BIO_LENGTH}
        value={bio}
        onChange={(event) => setBio(event.target.value)}
        readOnly={pending}
        rows={3}
        dir="auto"
        className="min-h-26"
      />
      <Field
        type="url"
        label="Website"
        error={fields["website"]}
        value={website}
        onChange={(event) => setWebsite(event.target.value)}
        readOnly={pending}
        autoComplete="url"
        placeholder="https://example.org"
      />
      <div className="flex justify-end gap-3 pt-1">
        <Button look="outline" disabled={pending} onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" disabled={disabled} className="min-w-26">
          {pending ? "Saving..." : "Save"}
        </Button>
      </div>
    </form>
  );
}
