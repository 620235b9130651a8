import type { Post } from "@/api/types";
import { cx } from "@/lib/cx";

/** A post's pictures: one at its own shape, two as halves, three as one tall and two, four as a grid. */
export function PostImages({ post }: { post: Post }) {
  const images = (post.images ?? []).slice(0, 4);
  const [only] = images;
  if (!only) return null;
  if (images.length === 1) {
    return (
      <img
        src={only.url}
        {...(only.srcset && { srcSet: only.srcset, sizes: "(min-width: 640px) 540px, 90vw" })}
        alt={only.alt ?? ""}
        width={only.width}
        height={only.height}
        loading="lazy"
        className="mt-3 max-h-[640px] w-full rounded-[14px] border border-line bg-wash object-cover"
        style={{ aspectRatio: Math.max(only.width / only.height, 4 / 5) }}
      />
    );
  }
  return (
    <div className="mt-3 grid aspect-[16/10] grid-cols-2 grid-rows-2 gap-0.5 overflow-hidden rounded-[14px] border border-line">
      {images.map((image, index) => (
        <img
          key={image.url}
          src={image.url}
          alt={image.alt ?? ""}
          loading="lazy"
          className={cx(
            "size-full bg-wash object-cover",
            (images.length === 2 || (images.length === 3 && index === 0)) && "row-span-2",
          )}
        />
      ))}
    </div>
  );
}
