import type { MessageDescriptor } from "@lingui/core";
import { msg, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useState } from "react";
import type { UploadStatus } from "@/api/upload/upload";
import type { ProfileImageKind } from "@/api/profile";
import { Button } from "@/ui/button";
import { UploadProgress } from "@/components/upload-progress";
import { ImageCropper } from "./image-cropper";
import type { useImageUpload } from "./use-image-upload";

interface Props {
  kind: ProfileImageKind;
  upload: ReturnType<typeof useImageUpload>;
  onChoose: () => void;
  onClose: () => void;
}

// Beside the two main buttons; on a phone, a row of its own below them.
const secondaryButtonClass = "px-3 max-sm:order-last max-sm:basis-full sm:me-auto sm:-ms-3";

export function ImageEditor({ kind, upload, onChoose, onClose }: Props) {
  const { selected, status, problem } = upload;
  const [unloadablePreview, setUnloadablePreview] = useState<string | null>(null);
  if (!selected) return null;
  const nextStepLabel = nextStepLabels[status.phase];
  const isIdle = status.phase === "waiting" || status.phase === "error";
  return (
    <div className="px-6 pt-5 pb-6">
      {unloadablePreview === selected.preview ? (
        <p className="rounded-[14px] bg-muted px-5 py-8 text-center text-muted-foreground">
          <Trans>Your browser can't preview this image. We'll crop it to the center.</Trans>
        </p>
      ) : (
        <ImageCropper
          key={selected.preview}
          src={selected.preview}
          aspectRatio={kind === "profile" ? 1 : 3}
          disabled={!isIdle}
          onCrop={upload.setCrop}
          onLoadError={() => setUnloadablePreview(selected.preview)}
        />
      )}
      <UploadProgress status={status} name={selected.file.name || t`Image`} className="mt-4" />
      {(status.phase === "error" || problem !== null) && (
        <p role="alert" className="mt-2 text-sm wrap-anywhere text-destructive">
          {problem ?? status.detail}
        </p>
      )}
      <div className="mt-5 flex flex-wrap items-center justify-end gap-3">
        {isIdle && (
          <Button variant="ghost" onClick={onChoose} className={secondaryButtonClass}>
            <Trans>Choose another</Trans>
          </Button>
        )}
        {status.phase === "uploading" && (
          <Button
            variant="ghost"
            onClick={() => selected.upload.pauseOrResume()}
            className={secondaryButtonClass}
          >
            {status.paused ? t`Resume` : t`Pause`}
          </Button>
        )}
        {status.phase !== "complete" && (
          <Button
            variant="outline"
            onClick={isIdle ? onClose : upload.cancel}
            className="max-sm:flex-1"
          >
            <Trans>Cancel</Trans>
          </Button>
        )}
        {/* One button for the next step: it stays where it is, and so does the focus. */}
        <Button
          aria-disabled={!nextStepLabel}
          onClick={() => {
            if (status.phase === "complete") onClose();
            else if (isIdle) void selected.upload.start();
          }}
          className="min-w-28 max-sm:flex-1 aria-disabled:cursor-default aria-disabled:opacity-45"
        >
          {nextStepLabel ? t(nextStepLabel) : t`Uploading...`}
        </Button>
      </div>
    </div>
  );
}

const nextStepLabels: Partial<Record<UploadStatus["phase"], MessageDescriptor>> = {
  waiting: msg`Upload`,
  complete: msg`Done`,
  error: msg`Retry`,
};
