import { t } from "@lingui/core/macro";
import { ChevronLeft, ChevronRight, X } from "lucide-react";
import { Dialog } from "radix-ui";
import { type KeyboardEvent, useEffect, useState } from "react";
import type { PostImage } from "@/api/types";
import { useOverlay } from "@/lib/navigation/overlay-history";
import { IconButton } from "@/ui/button";
import { ProgressiveImage } from "@/components/progressive-image";
import { useSwipe } from "@/ui/use-swipe";

interface Props {
  images: readonly PostImage[];
  startIndex: number;
  onClose: () => void;
}

const roundButtonClass = "size-11! bg-overlay text-overlay-foreground! disabled:invisible";

/** A post's images over the whole screen, one at a time. Dark in both themes. */
export default function Lightbox({ images, startIndex, onClose }: Props) {
  const [index, setIndex] = useState(startIndex);
  const overlay = useOverlay(onClose);
  const image = images[index];
  // Prefetch the neighbours.
  useEffect(() => {
    for (const next of [images[index - 1], images[index + 1]]) {
      if (!next) continue;
      const { srcset, url: src } = next;
      Object.assign(new Image(), { sizes: getViewportSizes(next), srcset, src });
    }
  }, [images, index]);

  const showImage = (to: number) => setIndex(Math.min(images.length - 1, Math.max(0, to)));
  const { offset, handlers } = useSwipe({
    onLeft: () => showImage(index + 1),
    onRight: () => showImage(index - 1),
    onDown: onClose,
  });

  function onKeyDown(event: KeyboardEvent) {
    const targets: Record<string, number> = {
      ArrowLeft: index - 1,
      ArrowRight: index + 1,
      Home: 0,
      End: images.length - 1,
    };
    const targetIndex = targets[event.key];
    if (event.key === "Escape") onClose();
    else if (targetIndex !== undefined) showImage(targetIndex);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  if (!image) return null;
  const ratio = image.width / image.height;
  const [position, count] = [index + 1, images.length];
  const name = count === 1 ? t`Image` : t`Image ${position} of ${count}`;
  return (
    <Dialog.Root open onOpenChange={onClose}>
      <Dialog.Portal>
        <Dialog.Content
          {...overlay}
          aria-describedby={undefined}
          onKeyDown={onKeyDown}
          className="dark fixed inset-0 z-50 flex animate-fade flex-col bg-background text-foreground outline-none"
        >
          <div className="flex h-14 shrink-0 items-center justify-between pe-3 ps-5">
            <Dialog.Title className="text-body-sm text-muted-foreground tabular-nums">
              {name}
            </Dialog.Title>
            <Dialog.Close asChild>
              <IconButton label={t`Close`} className={roundButtonClass}>
                <X size={22} aria-hidden />
              </IconButton>
            </Dialog.Close>
          </div>
          {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- Escape and the button do the same */}
          <div
            {...handlers}
            onClick={(event) => event.target === event.currentTarget && onClose()}
            className="relative flex min-h-0 flex-1 touch-pinch-zoom items-center justify-center sm:mx-18"
          >
            {/* The image as large as the room allows, and no larger than it is. */}
            <div
              key={image.url}
              className="pointer-events-none absolute inset-0 flex items-center justify-center [container-type:size]"
            >
              <div
                className="pointer-events-auto"
                style={{
                  aspectRatio: ratio,
                  width: `min(100cqw, ${ratio * 100}cqh, ${image.width}px)`,
                  translate: `${offset.x}px ${offset.y}px`,
                }}
              >
                <ProgressiveImage image={image} sizes={getViewportSizes(image)} eager />
              </div>
            </div>
          </div>
          {images.length > 1 && (
            <>
              <IconButton
                label={t`Previous image`}
                disabled={index === 0}
                onClick={() => showImage(index - 1)}
                className={`${roundButtonClass} absolute top-1/2 start-3`}
              >
                <ChevronLeft size={24} aria-hidden className="rtl:-scale-x-100" />
              </IconButton>
              <IconButton
                label={t`Next image`}
                disabled={index === images.length - 1}
                onClick={() => showImage(index + 1)}
                className={`${roundButtonClass} absolute top-1/2 end-3`}
              >
                <ChevronRight size={24} aria-hidden className="rtl:-scale-x-100" />
              </IconButton>
            </>
          )}
          <div className="min-h-14 shrink-0 px-5 pt-3 pb-[max(1rem,env(safe-area-inset-bottom))]">
            <p
              dir="auto"
              className="mx-auto max-h-[22dvh] max-w-2xl overflow-y-auto text-center text-body-sm whitespace-pre-wrap wrap-anywhere"
            >
              {image.alt}
            </p>
            <span role="status" className="sr-only">
              {name}
              {image.alt && `: ${image.alt}`}
            </span>
          </div>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function getViewportSizes({ width, height }: PostImage): string {
  return `min(100vw, ${Math.round((width / height) * 100)}vh)`;
}
