import { useState } from "react";
import type { UploadStatus } from "@/api/upload/status";
import { Button } from "@/ui/button";
import { UploadProgress } from "@/ui/upload-progress";
import { useFilePicker } from "@/ui/use-file-picker";
import { CropFrame } from "./crop-frame";
import type { ImageKind } from "./own-images";
import type { useImageUpload } from "./use-image-upload";

interface Props {
  kind: ImageKind;
  upload: ReturnType<typeof useImageUpload>;
  onClose: () => void;
}

// Beside the two main buttons; on a phone, a row of its own below them.
const aside = "px-3 max-sm:order-last max-sm:basis-full sm:mr-auto sm:-ml-3";

/** The chosen file: which part of it to show, how its upload goes, and what can be done about it. */
export function ImageEditor({ kind, upload, onClose }: Props) {
  const { chosen, status, problem } = upload;
  const [broken, setBroken] = useState<string | null>(null);
  const picker = useFilePicker(false, (files) => void upload.choose(files));
  if (!chosen) return null;
  const idle = status.phase === "waiting" || status.phase === "error";
  return (
    <div className="px-6 pt-5 pb-6">
      {picker.field}
      {broken === chosen.preview ? (
        <p className="rounded-[14px] bg-wash px-5 py-8 text-center text-muted">
          This browser cannot show the image. Its middle will be used.
        </p>
      ) : (
        <CropFrame
          src={chosen.preview}
          frame={kind.shape}
          picture={upload.picture}
          view={upload.view}
          disabled={!idle}
          onView={upload.setView}
          onPicture={upload.setPicture}
          onBroken={() => setBroken(chosen.preview)}
        />
      )}
      <UploadProgress status={status} name={chosen.image.file.name || "Image"} className="mt-4" />
      {(status.phase === "error" || problem !== null) && (
        <p role="alert" className="mt-2 text-sm [overflow-wrap:anywhere] text-danger">
          {problem ?? status.detail}
        </p>
      )}
      <div className="mt-5 flex flex-wrap items-center justify-end gap-3">
        {idle && (
          <Button look="quiet" onClick={picker.open} className={aside}>
            Choose another
          </Button>
        )}
        {status.phase === "uploading" && (
          <Button look="quiet" onClick={() => chosen.upload.pauseOrResume()} className={aside}>
            {status.paused ? "Resume" : "Pause"}
          </Button>
        )}
        {status.phase !== "complete" && (
          <Button look="outline" onClick={idle ? onClose : upload.cancel} className="max-sm:flex-1">
            Cancel
          </Button>
        )}
        <MainButton status={status} onBegin={() => void chosen.upload.begin()} onDone={onClose} />
      </div>
    </div>
  );
}

const mainWords: Record<UploadStatus["phase"], string> = {
  waiting: "Upload",
  preprocessing: "Uploading...",
  uploading: "Uploading...",
  postprocessing: "Uploading...",
  complete: "Done",
  error: "Retry",
};

interface MainButtonProps {
  status: UploadStatus;
  onBegin: () => void;
  onDone: () => void;
}

/** One button for the next step: it stays where it is, and so does the focus. */
function MainButton({ status: { phase }, onBegin, onDone }: MainButtonProps) {
  const busy = phase !== "waiting" && phase !== "error" && phase !== "complete";
  return (
    <Button
      aria-disabled={busy}
      onClick={() => {
        if (!busy) (phase === "complete" ? onDone : onBegin)();
      }}
      className="min-w-28 max-sm:flex-1 aria-disabled:cursor-default aria-disabled:opacity-45"
    >
      {mainWords[phase]}
    </Button>
  );
}
