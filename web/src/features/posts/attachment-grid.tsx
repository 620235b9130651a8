import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useRef, useState } from "react";
import { flushSync } from "react-dom";
import { lazyOverlay } from "@/ui/lazy-overlay";
import { AttachmentPreview } from "./attachment-preview";
import type { UpdateDraft } from "./draft";
import { updateAttachment, type DraftAttachment, moveAttachment } from "./draft-attachments";

const AltTextDialog = lazyOverlay(() => import("./alt-text-dialog"));

interface Props {
  images: readonly DraftAttachment[];
  disabled: boolean;
  onChange: UpdateDraft;
  onRemove: (image: DraftAttachment) => void;
}

export function AttachmentGrid({ images, disabled, onChange, onRemove }: Props) {
  const list = useRef<HTMLUListElement>(null);
  const [describedId, setDescribedId] = useState<string | null>(null);
  const [announcement, setAnnouncement] = useState("");
  const describedImage = images.find(({ id }) => id === describedId);

  function move({ id }: DraftAttachment, from: number, step: -1 | 1) {
    // The list is in its new order before the focus goes to a button in it.
    flushSync(() => {
      onChange((draft) => ({ images: moveAttachment(draft.images, id, step) }));
      const [before, now, count] = [from + 1, from + 1 + step, images.length];
      setAnnouncement(t`Image ${before} is now image ${now} of ${count}.`);
    });
    if (step === 1) focusOn(id, "move-forward", "move-backward");
    else focusOn(id, "move-backward", "move-forward");
  }

  function remove(image: DraftAttachment, index: number) {
    flushSync(() => {
      onRemove(image);
      setAnnouncement(t`Image removed.`);
    });
    const next = images[index + 1] ?? images[index - 1];
    if (next) focusOn(next.id, "remove", "cancel");
  }

  function focusOn(id: string, action: string, fallback: string) {
    const findButton = (name: string) =>
      list.current?.querySelector<HTMLElement>(`[data-image="${id}"] [data-action="${name}"]`);
    (findButton(action) ?? findButton(fallback))?.focus();
  }

  return (
    <>
      {images.length > 0 && (
        <ul ref={list} aria-label={t`Images`} className="mt-2 grid grid-cols-2 gap-2">
          {images.map((image, at) => (
            <AttachmentPreview
              key={image.id}
              image={image}
              position={at + 1}
              count={images.length}
              disabled={disabled}
              onMove={(step) => move(image, at, step)}
              onRemove={() => remove(image, at)}
              onDescribe={() => setDescribedId(image.id)}
            />
          ))}
        </ul>
      )}
      {images.some(({ ready, alt }) => ready && alt === "") && (
        <p className="mt-2 text-sm text-muted-foreground">
          <Trans>Describe your images for people who cannot see them.</Trans>
        </p>
      )}
      <span role="status" className="sr-only">
        {announcement}
      </span>
      {describedImage && (
        <AltTextDialog
          image={describedImage}
          onClose={() => setDescribedId(null)}
          onSave={(alt) =>
            onChange((draft) => ({
              images: updateAttachment(draft.images, describedImage.id, { alt }),
            }))
          }
        />
      )}
    </>
  );
}
