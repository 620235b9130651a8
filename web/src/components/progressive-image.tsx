import { Trans } from "@lingui/react/macro";
import { useLayoutEffect, useRef, useState } from "react";
import { thumbHashToRGBA } from "thumbhash";
import type { PostImage } from "@/api/types";
import { cx } from "@/lib/dom/cx";

interface Props {
  image: PostImage;
  /** How wide it is shown, as the HTML attribute. */
  sizes: string;
  eager?: boolean;
  className?: string;
}

/** An image of a post, filling its place: first a blur of it, then itself. */
export function ProgressiveImage({ image, sizes, eager = false, className }: Props) {
  const [state, setState] = useState<"loading" | "shown" | "broken">("loading");
  return (
    <span className={cx("relative block size-full overflow-hidden bg-muted", className)}>
      {state === "loading" && <BlurPreview image={image} />}
      {state === "broken" && (
        <span className="absolute inset-0 flex items-center justify-center p-4 text-center text-sm text-muted-foreground">
          <Trans>This image could not be loaded.</Trans>
        </span>
      )}
      <img
        sizes={sizes}
        srcSet={image.srcset}
        src={image.url}
        alt={image.alt}
        width={image.width}
        height={image.height}
        loading={eager ? "eager" : "lazy"}
        decoding="async"
        draggable={false}
        onLoad={() => setState("shown")}
        onError={() => setState("broken")}
        className={cx("absolute inset-0 size-full object-cover", state === "broken" && "invisible")}
      />
    </span>
  );
}

/** A blurred preview until the image is loaded. On a canvas, because the CSP allows no `data:` URLs. */
function BlurPreview({ image }: { image: PostImage }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const { thumbhash } = image;
  useLayoutEffect(() => {
    const preview = decodeThumbhash(thumbhash);
    if (!preview || !canvas.current) return;
    canvas.current.width = preview.width;
    canvas.current.height = preview.height;
    canvas.current.getContext("2d")?.putImageData(preview, 0, 0);
  }, [thumbhash]);
  return <canvas ref={canvas} aria-hidden className="absolute inset-0 size-full object-cover" />;
}

/** The pixels of a thumbhash in base64; null where there is none. */
function decodeThumbhash(thumbhash: string): ImageData | null {
  try {
    const bytes = Uint8Array.from(atob(thumbhash), (character) => character.charCodeAt(0));
    const { w, h, rgba } = thumbHashToRGBA(bytes);
    return new ImageData(new Uint8ClampedArray(rgba), w, h);
  } catch {
    return null;
  }
}
