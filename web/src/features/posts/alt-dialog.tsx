import type { FormEvent } from "react";
import { dropInput, useKeptInput } from "@/lib/kept-input";
import { postLength } from "@/lib/post-text";
import { Button } from "@/ui/button";
import Dialog from "@/ui/dialog";
import { AreaField } from "@/ui/field";
import { type DraftImage, MAX_ALT_LENGTH, sourceOf } from "./draft-images";

interface Props {
  image: DraftImage;
  onClose: () => void;
  onSave: (alt: string) => void;
}

/** Where an image is described for people who cannot see it. */
export default function AltDialog({ image, onClose, onSave }: Props) {
  function end(act: () => void) {
    dropInput(formOf(image));
    act();
  }
  return (
    <Dialog onClose={() => end(onClose)} onBack={onClose} title="Describe the image">
      <AltForm
        image={image}
        onCancel={() => end(onClose)}
        onSave={(alt) => end(() => onSave(alt))}
      />
    </Dialog>
  );
}

function formOf({ id }: DraftImage): string {
  return `alt:${id}`;
}

interface FormProps {
  image: DraftImage;
  onCancel: () => void;
  onSave: (alt: string) => void;
}

function AltForm({ image, onCancel, onSave }: FormProps) {
  const [alt, setAlt] = useKeptInput(formOf(image), image.alt);
  const length = postLength(alt);
  const disabled = length > MAX_ALT_LENGTH;

  function submit(event: FormEvent) {
    event.preventDefault();
    // A dialog inside of a form's dialog: React hands its events on to that form.
    event.stopPropagation();
    if (!disabled) onSave(alt.trim());
  }

  return (
    <form onSubmit={submit} className="space-y-4 px-6 pt-4 pb-6">
      <img
        src={sourceOf(image.id)?.preview ?? image.ready?.image.url}
        alt=""
        className="max-h-[32dvh] w-full rounded-[14px] bg-wash object-contain"
      />
      <AreaField
        label="Description"
        length={length}
        max={MAX_ALT_LENGTH}
        value={alt}
        onChange={(event) => setAlt(event.target.value)}
        rows={3}
        dir="auto"
        autoFocus
        placeholder="What is there to see?"
        className="min-h-24"
      />
      <div className="flex justify-end gap-3">
        <Button look="outline" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" disabled={disabled} className="min-w-26">
          Save
        </Button>
      </div>
    </form>
  );
}
