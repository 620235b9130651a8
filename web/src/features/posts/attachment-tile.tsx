import { ChevronLeft, ChevronRight, Pause, Play, RotateCw, X } from "lucide-react";
import type { MouseEvent, ReactNode } from "react";
import { type Upload, type UploadStatus, useUploadStatus } from "@/api/file-upload";
import { cx } from "@/lib/cx";
import { onFirstClick } from "@/ui/on-first-click";
import { UploadProgress } from "@/ui/upload-progress";
import { type DraftImage, sourceOf } from "./draft-images";

interface Props {
  image: DraftImage;
  place: number;
  count: number;
  disabled: boolean;
  onMove: (step: -1 | 1) => void;
  onRemove: () => void;
  onDescribe: () => void;
}

export function AttachmentTile(props: Props) {
  const { image, place, count, disabled, onMove, onRemove, onDescribe } = props;
  const source = sourceOf(image.id);
  const status = useUploadStatus(source?.upload);
  const name = `Image ${place} of ${count}`;
  return (
    <li
      data-image={image.id}
      aria-label={name}
      className="relative aspect-[4/3] overflow-hidden rounded-[14px] bg-wash"
    >
      <img
        src={source?.preview ?? image.ready?.image.url}
        alt={image.alt}
        decoding="async"
        className={cx("size-full object-cover", status.phase === "error" && "opacity-40")}
      />
      <div className="absolute inset-x-1.5 top-1.5 flex gap-1 pointer-coarse:gap-3">
        {place > 1 && (
          <TileButton label="Move left" of={name} disabled={disabled} onClick={() => onMove(-1)}>
            <ChevronLeft size={18} aria-hidden />
          </TileButton>
        )}
        {place < count && (
          <TileButton label="Move right" of={name} disabled={disabled} onClick={() => onMove(1)}>
            <ChevronRight size={18} aria-hidden />
          </TileButton>
        )}
        <TileButton
          label={image.ready ? "Remove" : "Cancel"}
          of={name}
          disabled={disabled}
          onClick={onFirstClick(onRemove)}
          className="ml-auto"
        >
          <X size={18} aria-hidden />
        </TileButton>
      </div>
      {image.ready ? (
        <button
          type="button"
          data-action="describe"
          disabled={disabled}
          onClick={onDescribe}
          aria-label={`${image.alt ? "ALT, edit" : "+ ALT, add"} the description of ${name}`}
          className="hit-area absolute bottom-1.5 left-1.5 h-8 rounded-full bg-shade px-3 text-[13px] font-semibold text-on-shade transition-opacity hover:opacity-85"
        >
          {image.alt ? "ALT" : "+ ALT"}
        </button>
      ) : (
        source && <Underway status={status} name={name} upload={source.upload} />
      )}
    </li>
  );
}

interface UnderwayProps {
  status: UploadStatus;
  name: string;
  upload: Upload;
}

function Underway({ status, name, upload }: UnderwayProps) {
  const failed = status.phase === "error";
  return (
    <div className="absolute inset-x-0 bottom-0 flex items-end gap-2 bg-shade py-2 pr-1.5 pl-3 text-on-shade">
      {failed ? (
        <p role="alert" className="min-w-0 flex-1 text-[13px] leading-[1.125rem]">
          <strong className="font-semibold">Upload failed</strong>
          <span className="line-clamp-3">{status.detail}</span>
        </p>
      ) : (
        <UploadProgress status={status} name={name} className="min-w-0 flex-1 pb-1" />
      )}
      {failed && (
        <TileButton label="Retry" of={name} onClick={() => void upload.begin()}>
          <RotateCw size={17} aria-hidden />
        </TileButton>
      )}
      {status.phase === "uploading" && (
        <TileButton
          label={status.paused ? "Resume" : "Pause"}
          of={name}
          onClick={() => upload.pauseOrResume()}
        >
          {status.paused ? <Play size={16} aria-hidden /> : <Pause size={16} aria-hidden />}
        </TileButton>
      )}
    </div>
  );
}

interface TileButtonProps {
  label: string;
  of: string;
  disabled?: boolean;
  onClick: (event: MouseEvent) => void;
  className?: string;
  children: ReactNode;
}

function TileButton({ label, of, disabled, onClick, className, children }: TileButtonProps) {
  return (
    <button
      type="button"
      data-action={label.toLowerCase().replace(" ", "-")}
      aria-label={`${label}: ${of}`}
      title={label}
      disabled={disabled}
      onClick={onClick}
      className={cx(
        "hit-area relative flex size-8 shrink-0 items-center justify-center rounded-full bg-shade text-on-shade transition-opacity hover:opacity-85 disabled:cursor-not-allowed disabled:opacity-45",
        className,
      )}
    >
      {children}
    </button>
  );
}
