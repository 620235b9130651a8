import { type KeyboardEvent, useId, useRef } from "react";
import { cropOf, MAX_ZOOM, moved, type Shapes, type View, WHOLE, zoomed } from "@/lib/crop";
import { cx } from "@/lib/cx";
import { usePanZoom } from "@/ui/use-pan-zoom";

const STEP = 0.02;
const FAST = 0.1;
const CLOSER = 1.1;

interface Props {
  src: string;
  /** Width to height of the frame; of 1, the circle that will be seen is drawn. */
  frame: number;
  /** Width to height of the picture; null until it is known. */
  picture: number | null;
  view: View;
  disabled: boolean;
  onView: (view: View) => void;
  onPicture: (ratio: number) => void;
  /** This browser cannot show the file. */
  onBroken: () => void;
}

/** The part of a picture that will be shown, to be moved and zoomed. */
export function CropFrame(props: Props) {
  const { src, frame, picture, view, disabled, onView, onPicture, onBroken } = props;
  const element = useRef<HTMLDivElement>(null);
  const hintId = useId();
  const shapes: Shapes = { picture: picture ?? frame, frame };
  const crop = cropOf(view, shapes);
  const handlers = usePanZoom(element, disabled, {
    onPan: (right, down) => onView(moved(view, right, down, shapes)),
    onZoom: (factor, at) => onView(zoomed(view, view.zoom * factor, shapes, at)),
  });

  function onKeyDown(event: KeyboardEvent) {
    if (disabled || event.ctrlKey || event.metaKey || event.altKey) return;
    const next = viewAfter(event, view, shapes);
    if (!next) return;
    event.preventDefault();
    onView(next);
  }

  return (
    <div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- arrow keys and pointers move the picture, which no role says */}
      <div
        {...handlers}
        ref={element}
        role="group"
        aria-label="Part of the image to show"
        aria-describedby={hintId}
        aria-disabled={disabled}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- as above
        tabIndex={0}
        onKeyDown={onKeyDown}
        className={cx(
          "relative mx-auto touch-none overflow-hidden rounded-[14px] bg-wash select-none",
          frame === 1 ? "max-w-72" : "w-full",
          disabled ? "cursor-default" : "cursor-grab active:cursor-grabbing",
        )}
        style={{ aspectRatio: frame }}
      >
        <img
          src={src}
          alt=""
          draggable={false}
          onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
            onPicture(naturalWidth / Math.max(1, naturalHeight))
          }
          onError={onBroken}
          className={cx("pointer-events-none absolute max-w-none", picture === null && "invisible")}
          style={{
            width: `${100 / crop.width}%`,
            height: `${100 / crop.height}%`,
            left: `${(-100 * crop.x) / crop.width}%`,
            top: `${(-100 * crop.y) / crop.height}%`,
          }}
        />
        {frame === 1 && (
          <div className="pointer-events-none absolute inset-0 rounded-full shadow-[0_0_0_400px_var(--shade)] ring-2 ring-on-shade" />
        )}
      </div>
      <p id={hintId} className="mt-2.5 text-center text-sm text-muted">
        Drag or use the arrow keys to move the image.
      </p>
      <label className="mt-2.5 flex items-center gap-3 text-sm font-medium">
        Zoom
        <input
          type="range"
          min={1}
          max={MAX_ZOOM}
          step={0.05}
          value={view.zoom}
          disabled={disabled}
          aria-valuetext={`${Math.round(view.zoom * 100)}%`}
          onChange={(event) => onView(zoomed(view, Number(event.target.value), shapes))}
          className="h-6 min-w-0 flex-1 accent-ember-deep"
        />
      </label>
    </div>
  );
}

/** What a key does to the view, if it does anything. */
function viewAfter({ key, shiftKey }: KeyboardEvent, view: View, shapes: Shapes): View | null {
  const step = shiftKey ? FAST : STEP;
  switch (key) {
    case "ArrowLeft":
      return moved(view, -step, 0, shapes);
    case "ArrowRight":
      return moved(view, step, 0, shapes);
    case "ArrowUp":
      return moved(view, 0, -step, shapes);
    case "ArrowDown":
      return moved(view, 0, step, shapes);
    case "+":
    case "=":
      return zoomed(view, view.zoom * CLOSER, shapes);
    case "-":
      return zoomed(view, view.zoom / CLOSER, shapes);
    case "Home":
      return WHOLE;
    default:
      return null;
  }
}
