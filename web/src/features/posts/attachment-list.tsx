import { useRef, useState } from "react";
import { flushSync } from "react-dom";
import { lazyOverlay } from "@/ui/lazy-overlay";
import { AttachmentTile } from "./attachment-tile";
import type { ChangeDraft } from "./draft";
import { changeImage, type DraftImage, moveImage } from "./draft-images";

const AltDialog = lazyOverlay(() => import("./alt-dialog"));

interface Props {
  images: readonly DraftImage[];
  disabled: boolean;
  onChange: ChangeDraft;
  onRemove: (image: DraftImage) => void;
}

export function AttachmentList({ images, disabled, onChange, onRemove }: Props) {
  const list = useRef<HTMLUListElement>(null);
  const [described, setDescribed] = useState<string | null>(null);
  const [said, setSaid] = useState("");
  const open = images.find(({ id }) => id === described);

  function move({ id }: DraftImage, from: number, step: -1 | 1) {
    // The list is in its new order before the focus goes to a button in it.
    flushSync(() => {
      onChange((draft) => ({ images: moveImage(draft.images, id, step) }));
      setSaid(`Image ${from + 1} is now image ${from + 1 + step} of ${images.length}.`);
    });
    if (step === 1) focusOn(id, "move-right", "move-left");
    else focusOn(id, "move-left", "move-right");
  }

  function remove(image: DraftImage, at: number) {
    flushSync(() => {
      onRemove(image);
      setSaid("Image removed.");
    });
    const next = images[at + 1] ?? images[at - 1];
    if (next) focusOn(next.id, "remove", "cancel");
  }

  function focusOn(id: string, action: string, otherwise: string) {
    const buttonOf = (name: string) =>
      list.current?.querySelector<HTMLElement>(`[data-image="${id}"] [data-action="${name}"]`);
    (buttonOf(action) ?? buttonOf(otherwise))?.focus();
  }

  return (
    <>
      {images.length > 0 && (
        <ul ref={list} aria-label="Images" className="mt-2 grid grid-cols-2 gap-2">
          {images.map((image, at) => (
            <AttachmentTile
              key={image.id}
              image={image}
              place={at + 1}
              count={images.length}
              disabled={disabled}
              onMove={(step) => move(image, at, step)}
              onRemove={() => remove(image, at)}
              onDescribe={() => setDescribed(image.id)}
            />
          ))}
        </ul>
      )}
      {images.some(({ ready, alt }) => ready && alt === "") && (
        <p className="mt-2 text-sm text-muted">
          Describe your images for people who cannot see them.
        </p>
      )}
      <span role="status" className="sr-only">
        {said}
      </span>
      {open && (
        <AltDialog
          image={open}
          onClose={() => setDescribed(null)}
          onSave={(alt) =>
            onChange((draft) => ({ images: changeImage(draft.images, open.id, { alt }) }))
          }
        />
      )}
    </>
  );
}
