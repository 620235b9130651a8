import { type FormEvent, useState } from "react";
import { fieldsOf, hasStatus, sentenceOf } from "@/api/error";
import { useMember } from "@/api/session";
import { cleanUsername, MIN_USERNAME_LENGTH } from "@/lib/username";
import { Button } from "@/ui/button";
import { Field } from "@/ui/field";
import { useFocusInvalid } from "@/ui/use-focus-invalid";
import { useIntroduce } from "./use-introduce";
import { useUsernameNote } from "./use-username-note";

interface Props {
  autoFocus: boolean;
  onLater: () => void;
}

/** Username and display name of a new member. */
export function IntroductionForm({ autoFocus, onLater }: Props) {
  const me = useMember();
  const [username, setUsername] = useState("");
  const [displayName, setDisplayName] = useState("");
  const introduce = useIntroduce();
  const form = useFocusInvalid(introduce.error);
  const note = useUsernameNote(username);
  const fields = fieldsOf(introduce.error);
  const refusal =
    fields["username"] ??
    (hasStatus(introduce.error, 409) ? sentenceOf(introduce.error, "") : undefined);
  const name = cleanUsername(username);
  const disabled =
    introduce.isPending || name.length < MIN_USERNAME_LENGTH || note.error !== undefined;

  function submit(event: FormEvent) {
    event.preventDefault();
    if (!disabled) introduce.mutate({ username: name, displayName });
  }

  return (
    <form ref={form} onSubmit={submit} className="pb-2">
      <div className="grid gap-4 sm:grid-cols-2">
        <Field
          label="Username"
          hint={note.hint}
          error={refusal ?? note.error}
          live
          autoFocus={autoFocus}
          value={username}
          onChange={(event) => {
            setUsername(event.target.value);
            introduce.reset();
          }}
          readOnly={introduce.isPending}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
        <Field
          label="Display Name"
          hint={`You appear as “${me.displayName}” now.`}
          error={fields["displayName"]}
          value={displayName}
          onChange={(event) => setDisplayName(event.target.value)}
          readOnly={introduce.isPending}
          autoComplete="name"
          dir="auto"
        />
      </div>
      <div className="mt-4 flex gap-3">
        <Button type="submit" disabled={disabled} className="min-w-26">
          {introduce.isPending ? "Saving..." : "Save"}
        </Button>
        <Button look="quiet" disabled={introduce.isPending} onClick={onLater}>
          Later
        </Button>
      </div>
    </form>
  );
}
