import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { ChevronLeft, ChevronRight, type LucideIcon, Pause, Play, RotateCw, X } from "lucide-react";
import type { ComponentProps } from "react";
import { useUploadStatus } from "@/api/upload/upload";
import { cx } from "@/lib/dom/cx";
import { isRightToLeft } from "@/lib/i18n/locale";
import { ignoreDoubleClick } from "@/ui/ignore-double-click";
import { UploadProgress } from "@/components/upload-progress";
import type { DraftAttachment } from "./draft-attachments";
import { localFiles } from "./local-files";

interface Props {
  image: DraftAttachment;
  position: number;
  count: number;
  disabled: boolean;
  onMove: (step: -1 | 1) => void;
  onRemove: () => void;
  onDescribe: () => void;
}

export function AttachmentPreview(props: Props) {
  const { image, position, count, disabled, onMove, onRemove, onDescribe } = props;
  const localFile = localFiles.get(image.id);
  const status = useUploadStatus(localFile?.upload);
  const { phase, paused, detail } = status;
  const hasFailed = phase === "error";
  const name = t`Image ${position} of ${count}`;
  const buttonProps = { imageName: name, disabled };
  const left = { icon: ChevronLeft, label: t`Move left` };
  const right = { icon: ChevronRight, label: t`Move right` };
  const [backward, forward] = isRightToLeft() ? [right, left] : [left, right];
  return (
    <li
      data-image={image.id}
      aria-label={name}
      className="relative aspect-[4/3] overflow-hidden rounded-[14px] bg-muted"
    >
      <img
        src={localFile?.preview ?? image.ready?.image.url}
        alt={image.alt}
        decoding="async"
        className={cx("size-full object-cover", hasFailed && "opacity-40")}
      />
      <div className="absolute inset-x-1.5 top-1.5 flex gap-1 pointer-coarse:gap-3">
        {position > 1 && (
          <PreviewButton
            {...buttonProps}
            {...backward}
            action="move-backward"
            onClick={() => onMove(-1)}
          />
        )}
        {position < count && (
          <PreviewButton
            {...buttonProps}
            {...forward}
            action="move-forward"
            onClick={() => onMove(1)}
          />
        )}
        <PreviewButton
          {...buttonProps}
          action={image.ready ? "remove" : "cancel"}
          icon={X}
          label={image.ready ? t`Remove` : t`Cancel`}
          onClick={ignoreDoubleClick(onRemove)}
          className="ms-auto"
        />
      </div>
      {image.ready ? (
        <button
          type="button"
          data-action="describe"
          disabled={disabled}
          onClick={onDescribe}
          aria-label={
            image.alt
              ? t`ALT, edit the description of ${name}`
              : t`+ ALT, add the description of ${name}`
          }
          className="hit-area absolute bottom-1.5 start-1.5 h-8 rounded-full bg-overlay px-3 text-caption font-semibold text-overlay-foreground transition-opacity hover:opacity-85"
        >
          {image.alt ? "ALT" : "+ ALT"}
        </button>
      ) : (
        localFile && (
          <div className="absolute inset-x-0 bottom-0 flex items-end gap-2 bg-overlay py-2 pe-1.5 ps-3 text-overlay-foreground">
            {hasFailed ? (
              <>
                <p role="alert" className="min-w-0 flex-1 text-caption leading-4.5">
                  <strong className="font-semibold">
                    <Trans>Upload failed</Trans>
                  </strong>
                  <span className="line-clamp-3">{detail}</span>
                </p>
                <PreviewButton
                  imageName={name}
                  action="retry"
                  icon={RotateCw}
                  size={17}
                  label={t`Retry`}
                  onClick={() => void localFile.upload.start()}
                />
              </>
            ) : (
              <UploadProgress status={status} name={name} className="min-w-0 flex-1 pb-1" />
            )}
            {phase === "uploading" && (
              <PreviewButton
                imageName={name}
                action={paused ? "resume" : "pause"}
                icon={paused ? Play : Pause}
                size={16}
                label={paused ? t`Resume` : t`Pause`}
                onClick={() => localFile.upload.pauseOrResume()}
              />
            )}
          </div>
        )
      )}
    </li>
  );
}

interface PreviewButtonProps extends ComponentProps<"button"> {
  /** How the keyboard focus finds the button. */
  action: string;
  icon: LucideIcon;
  size?: number;
  label: string;
  imageName: string;
}

function PreviewButton({
  action,
  icon: Icon,
  size = 18,
  label,
  imageName,
  className,
  ...rest
}: PreviewButtonProps) {
  return (
    <button
      {...rest}
      type="button"
      data-action={action}
      aria-label={t`${label}: ${imageName}`}
      title={label}
      className={cx(
        "hit-area relative flex size-8 shrink-0 items-center justify-center rounded-full bg-overlay text-overlay-foreground transition-opacity hover:opacity-85 disabled:cursor-not-allowed disabled:opacity-45",
        className,
      )}
    >
      <Icon size={size} aria-hidden />
    </button>
  );
}
