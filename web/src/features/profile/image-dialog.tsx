import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useMutation } from "@tanstack/react-query";
import { ImageUp } from "lucide-react";
import { useState } from "react";
import { type ProfileImageKind, deleteProfileImage } from "@/api/profile";
import { useCurrentUser } from "@/api/auth";
import { cx } from "@/lib/dom/cx";
import { Button } from "@/ui/button";
import Dialog from "@/ui/dialog";
import { useDropzone } from "@/ui/use-dropzone";
import { useFilePicker } from "@/ui/use-file-picker";
import { ImageEditor } from "./image-editor";
import { getImageUpdateError } from "./image-texts";
import { useImageUpload } from "./use-image-upload";

interface Props {
  kind: ProfileImageKind;
  onClose: () => void;
}

export default function ImageDialog({ kind, onClose }: Props) {
  const currentUser = useCurrentUser();
  const [isRemoving, setRemoving] = useState(false);
  const upload = useImageUpload(kind);
  const picker = useFilePicker(false, (files) => void upload.selectFile(files));
  const current = kind === "profile" ? currentUser.profileImageUrl : currentUser.headerImageUrl;
  return (
    <Dialog onClose={onClose} title={kind === "profile" ? t`Profile image` : t`Header image`}>
      {picker.field}
      {isRemoving ? (
        <RemoveImage kind={kind} onKeep={() => setRemoving(false)} onRemoved={onClose} />
      ) : upload.selected ? (
        <ImageEditor kind={kind} upload={upload} onChoose={picker.open} onClose={onClose} />
      ) : (
        <ImageDropzone
          upload={upload}
          onChoose={picker.open}
          {...(current && { onRemove: () => setRemoving(true) })}
        />
      )}
    </Dialog>
  );
}

interface DropzoneProps {
  upload: ReturnType<typeof useImageUpload>;
  onChoose: () => void;
  onRemove?: () => void;
}

function ImageDropzone({ upload: { problem, selectFile }, onChoose, onRemove }: DropzoneProps) {
  const { isOver, target } = useDropzone((files) => void selectFile(files));
  return (
    <div className="px-6 pt-5 pb-6">
      <div
        {...target}
        className={cx(
          "flex flex-col items-center gap-4 rounded-2xl border-2 border-dashed px-6 py-10 text-center",
          isOver ? "border-primary bg-muted" : "border-border",
        )}
      >
        <ImageUp size={30} strokeWidth={1.5} aria-hidden className="text-muted-foreground" />
        <Button autoFocus onClick={onChoose}>
          <Trans>Choose image</Trans>
        </Button>
        <p className="text-sm text-muted-foreground">
          {isOver
            ? t`Drop it here.`
            : t`Or drop one here. JPEG, PNG, WebP, GIF or AVIF, up to 10 MB.`}
        </p>
      </div>
      {problem !== null && (
        <p role="alert" className="mt-3 text-sm wrap-anywhere text-destructive">
          {problem}
        </p>
      )}
      {onRemove && (
        <Button variant="ghost" onClick={onRemove} className="mt-4 -ms-3 text-destructive!">
          <Trans>Remove image</Trans>
        </Button>
      )}
    </div>
  );
}

interface RemoveProps {
  kind: ProfileImageKind;
  onKeep: () => void;
  onRemoved: () => void;
}

function RemoveImage({ kind, onKeep, onRemoved }: RemoveProps) {
  const remove = useMutation({
    mutationFn: () => deleteProfileImage(kind),
    onSuccess: onRemoved,
    meta: {
      success: { title: t`Image removed` },
      failure: getImageUpdateError(kind),
    },
  });
  return (
    <div className="px-6 pt-4 pb-6">
      <p>
        {kind === "profile"
          ? t`Remove your profile image? It disappears for everyone right away.`
          : t`Remove your header image? It disappears for everyone right away.`}
      </p>
      <div className="mt-6 flex justify-end gap-3">
        <Button variant="outline" autoFocus disabled={remove.isPending} onClick={onKeep}>
          <Trans>Keep it</Trans>
        </Button>
        <Button disabled={remove.isPending} onClick={() => remove.mutate()} className="min-w-28">
          {remove.isPending ? t`Removing...` : t`Remove`}
        </Button>
      </div>
    </div>
  );
}
