import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import "react-easy-crop/react-easy-crop.css";
import { useId, useState } from "react";
import Cropper from "react-easy-crop";
import type { Crop } from "@/api/types";
import { cx } from "@/lib/dom/cx";

const MAX_ZOOM = 5;
const KEYBOARD_STEP = 12;

interface Props {
  src: string;
  /** Of 1, the circle that will be seen is drawn. */
  aspectRatio: number;
  disabled: boolean;
  onCrop: (crop: Crop) => void;
  onLoadError: () => void;
}

/** The part of a picture that will be shown, to be moved and zoomed. */
export function ImageCropper({ src, aspectRatio, disabled, onCrop, onLoadError }: Props) {
  const hintId = useId();
  const [position, setPosition] = useState({ x: 0, y: 0 });
  const [zoom, setZoom] = useState(1);
  return (
    <div inert={disabled}>
      <div
        className={cx(
          "relative mx-auto overflow-hidden rounded-[14px] bg-muted",
          aspectRatio === 1 ? "max-w-72" : "w-full",
        )}
        style={{ aspectRatio }}
      >
        <Cropper
          image={src}
          aspect={aspectRatio}
          crop={position}
          zoom={zoom}
          maxZoom={MAX_ZOOM}
          objectFit="cover"
          cropShape={aspectRatio === 1 ? "round" : "rect"}
          showGrid={false}
          keyboardStep={KEYBOARD_STEP}
          onCropChange={setPosition}
          onZoomChange={setZoom}
          onCropAreaChange={({ x, y, width, height }) =>
            onCrop({ x: x / 100, y: y / 100, width: width / 100, height: height / 100 })
          }
          cropperProps={{
            role: "group",
            "aria-label": t`Part of the image to show`,
            "aria-describedby": hintId,
          }}
          mediaProps={{ alt: "", onError: onLoadError }}
          // The content security policy blocks style elements.
          disableAutomaticStylesInjection
        />
      </div>
      <p id={hintId} className="mt-2.5 text-center text-sm text-muted-foreground">
        <Trans>Drag or use the arrow keys to move the image.</Trans>
      </p>
      <label className="mt-2.5 flex items-center gap-3 text-sm font-medium">
        <Trans>Zoom</Trans>
        <input
          type="range"
          min={1}
          max={MAX_ZOOM}
          step={0.05}
          value={zoom}
          aria-valuetext={`${Math.round(zoom * 100)}%`}
          onChange={(event) => setZoom(Number(event.target.value))}
          className="h-6 min-w-0 flex-1 accent-primary-strong"
        />
      </label>
    </div>
  );
}
