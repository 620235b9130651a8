import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { discardPreservedInput, usePreservedInput } from "@/components/use-preserved-input";
import { handleSubmit } from "@/lib/dom/handle-submit";
import { postLength } from "@/lib/text/post-text";
import { Button } from "@/ui/button";
import Dialog from "@/ui/dialog";
import { TextAreaField } from "@/ui/text-field";
import { type DraftAttachment, MAX_ALT_LENGTH } from "./draft-attachments";
import { localFiles } from "./local-files";

interface Props {
  image: DraftAttachment;
  onClose: () => void;
  onSave: (alt: string) => void;
}

/** A dialog for the description of an image. */
export default function AltTextDialog({ image, onClose, onSave }: Props) {
  const inputKey = `alt:${image.id}`;
  const [alt, setAlt] = usePreservedInput(inputKey, image.alt);
  const length = postLength(alt);
  const disabled = length > MAX_ALT_LENGTH;

  function close() {
    discardPreservedInput(inputKey);
    onClose();
  }

  function submit() {
    if (disabled) return;
    onSave(alt.trim());
    close();
  }

  return (
    <Dialog onClose={close} onBack={onClose} title={t`Describe the image`}>
      <form onSubmit={handleSubmit(submit)} className="space-y-4 px-6 pt-4 pb-6">
        <img
          src={localFiles.get(image.id)?.preview ?? image.ready?.image.url}
          alt=""
          className="max-h-[32dvh] w-full rounded-[14px] bg-muted object-contain"
        />
        <TextAreaField
          label={t`Description`}
          length={length}
          max={MAX_ALT_LENGTH}
          value={alt}
          onChange={(event) => setAlt(event.target.value)}
          rows={3}
          dir="auto"
          autoFocus
          placeholder={t`What is there to see?`}
          className="min-h-24"
        />
        <div className="flex justify-end gap-3">
          <Button variant="outline" onClick={close}>
            <Trans>Cancel</Trans>
          </Button>
          <Button type="submit" disabled={disabled} className="min-w-26">
            <Trans>Save</Trans>
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
