import { plural, t } from "@lingui/core/macro";
import { useState } from "react";
import type { Post } from "@/api/types";
import { cx } from "@/lib/dom/cx";
import {
  spansTwoRows,
  type PostVariant,
  clampAspectRatio,
  getSizes,
} from "@/lib/images/image-layout";
import { ProgressiveImage } from "@/components/progressive-image";
import { lazyOverlay } from "@/ui/lazy-overlay";
import { AltBadge } from "./alt-badge";

const Lightbox = lazyOverlay(() => import("./lightbox"));

/** A post's images: one at its own shape, two as halves, three as one tall and two, four as a grid. */
export function PostMedia({ post, variant }: { post: Post; variant: PostVariant }) {
  const [openIndex, setOpenIndex] = useState<number | null>(null);
  const images = post.images.slice(0, 4);
  const [first] = images;
  if (!first) return null;
  const isSingle = images.length === 1;
  return (
    <div
      role="group"
      aria-label={plural(images.length, { one: "Image", other: "# images" })}
      className={cx(
        "mt-3 grid overflow-hidden rounded-[14px] border border-border",
        isSingle ? "w-full" : "aspect-[16/10] grid-cols-2 grid-rows-2 gap-0.5",
      )}
      // A small image is not blown up.
      style={isSingle ? { aspectRatio: clampAspectRatio(first), maxWidth: first.width } : {}}
    >
      {images.map((image, index) => {
        const [position, count] = [index + 1, images.length];
        const name = isSingle ? t`Open the image` : t`Open image ${position} of ${count}`;
        return (
          <div
            // oxlint-disable-next-line react/no-array-index-key -- the same image may be there twice
            key={`${index} ${image.url}`}
            className={cx(
              "relative min-h-0 min-w-0",
              spansTwoRows(images.length, index) && "row-span-2",
            )}
          >
            <button
              type="button"
              onClick={() => setOpenIndex(index)}
              aria-label={image.alt ? `${name}: ${image.alt}` : name}
              className="block size-full cursor-zoom-in -outline-offset-4"
            >
              <ProgressiveImage
                image={image}
                sizes={getSizes(image, images.length, index, variant)}
              />
            </button>
            {image.alt && <AltBadge alt={image.alt} />}
          </div>
        );
      })}
      {openIndex !== null && (
        <Lightbox images={images} startIndex={openIndex} onClose={() => setOpenIndex(null)} />
      )}
    </div>
  );
}
