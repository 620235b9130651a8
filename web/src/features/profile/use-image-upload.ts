import { t } from "@lingui/core/macro";
import { useEffect, useRef, useState } from "react";
import { handleMutationError } from "@/api/handle-mutation-error";
import { Upload, useUploadStatus } from "@/api/upload/upload";
import { type ProfileImageKind, setProfileImage } from "@/api/profile";
import type { Crop } from "@/api/types";
import { validateImage } from "@/lib/images/validate-image";
import { toast } from "@/lib/state/toast";
import { getImageUpdateError } from "./image-texts";

interface SelectedImage {
  file: File;
  type: string;
  preview: string;
  upload: Upload;
}

export function useImageUpload(kind: ProfileImageKind) {
  const [selected, setSelected] = useState<SelectedImage>();
  const [problem, setProblem] = useState<string | null>(null);
  const { upload, preview } = selected ?? {};
  const status = useUploadStatus(upload);
  /** The part to show; where this browser cannot show the image, the server takes its middle. */
  const crop = useRef<Crop>(undefined);

  // No upload goes on once there is another one or the dialog is closed.
  useEffect(() => () => upload?.cancel(), [upload]);
  useEffect(() => () => URL.revokeObjectURL(preview ?? ""), [preview]);

  function createUpload(image: { file: File; type: string }): Upload {
    return new Upload(image, async ({ url }) => {
      const imageUrl = new URL(url);
      imageUrl.search = "";
      try {
        await setProfileImage(kind, imageUrl.href, crop.current);
      } catch (error) {
        handleMutationError(error, getImageUpdateError(kind));
        throw error;
      }
      toast({ title: t`Image updated` });
    });
  }

  async function selectFile(files: readonly File[]) {
    const [file] = files;
    if (!file) return;
    const check = files.length > 1 ? { error: t`Choose one image.` } : await validateImage(file);
    if ("error" in check) return setProblem(check.error);
    const image = { file, type: check.type };
    crop.current = undefined;
    setProblem(null);
    setSelected({ ...image, preview: URL.createObjectURL(file), upload: createUpload(image) });
  }

  return {
    selected,
    problem,
    status,
    selectFile,
    cancel: () => selected && setSelected({ ...selected, upload: createUpload(selected) }),
    setCrop: (next: Crop) => void (crop.current = next),
  };
}
