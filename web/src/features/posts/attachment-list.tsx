import { useLayoutEffect, useRef, useState } from "react";
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
  const focusLater = useFocusLater(list);
  const open = images.find(({ id }) => id === described);

  function move({ id }: DraftImage, from: number, step: -1 | 1) {
    onChange((draft) => ({ images: moveImage(draft.images, id, step) }));
    setSaid(`Image ${from + 1} is now image ${from + 1 + step} of ${images.length}.`);
    focusLater(id, step === 1 ? ["move-right", "move-left"] : ["move-left", "move-right"]);
  }

  function remove(image: DraftImage, at: number) {
    onRemove(image);
    setSaid("Image removed.");
    const next = images[at + 1] ?? images[at - 1];
    if (next) focusLater(next.id, ["remove", "cancel"]);
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
          onSave={(alt) => {
            onChange((draft) => ({ images: changeImage(draft.images, open.id, { alt }) }));
            setDescribed(null);
          }}
        />
      )}
    </>
  );
}

/** Puts the focus on a button of an image once the list is in its new order. */
function useFocusLater(list: React.RefObject<HTMLUListElement | null>) {
  const wanted = useRef<{ id: string; actions: string[] } | null>(null);
  useLayoutEffect(() => {
    if (!wanted.current) return;
    const { id, actions } = wanted.current;
    wanted.current = null;
    const tile = list.current?.querySelector(`[data-image="${id}"]`);
    const buttons = actions.map((name) => tile?.querySelector(`[data-action="${name}"]`));
    const button = buttons.find((found) => found instanceof HTMLElement);
    if (button instanceof HTMLElement) button.focus();
  });
  return (id: string, actions: string[]) => {
    wanted.current = { id, actions };
  };
}
