import { useEffect, useRef, useState } from "react";
import { showFailure } from "@/api/failure";
import { type ImageFile, Upload, type UploadStatus, WAITING } from "@/api/file-upload";
import { type Crop, type OwnImage, setOwnImage } from "@/api/own-profile";
import { checkImage } from "@/lib/image-file";
import { createStore, useStore } from "@/lib/store";
import { toast } from "@/lib/toast";

interface Chosen {
  image: ImageFile;
  preview: string;
  upload: Upload;
}

const nothing = createStore<UploadStatus>(WAITING);

export function useImageUpload(which: OwnImage) {
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const status = useStore(chosen?.upload.status ?? nothing);
  /** The part to show; where this browser cannot show the image, the server takes its middle. */
  const crop = useRef<Crop>(undefined);
  const latest = useRef(chosen);

  useEffect(() => {
    latest.current = chosen;
  });
  // No upload goes on once the dialog is closed.
  useEffect(() => () => drop(latest.current), []);

  function uploadOf(image: ImageFile): Upload {
    return new Upload(image, async ({ url }) => {
      const address = new URL(url);
      address.search = "";
      try {
        await setOwnImage(which, address.href, crop.current);
      } catch (error) {
        showFailure(error, `Failed to update ${which} image. Please try again.`);
        throw error;
      }
      toast({ title: "Image updated" });
    });
  }

  async function choose(files: readonly File[]) {
    const [file] = files;
    if (!file) return;
    const check = files.length > 1 ? { objection: "Choose one image." } : await checkImage(file);
    if ("objection" in check) return setProblem(check.objection);
    const image = { file, type: check.type };
    drop(latest.current);
    setProblem(null);
    crop.current = undefined;
    setChosen({ image, preview: URL.createObjectURL(file), upload: uploadOf(image) });
  }

  function cancel() {
    if (!chosen) return;
    chosen.upload.cancel();
    setChosen({ ...chosen, upload: uploadOf(chosen.image) });
  }

  function setCrop(next: Crop) {
    crop.current = next;
  }

  return { chosen, problem, status, choose, cancel, setCrop };
}

function drop(chosen: Chosen | null): void {
  if (!chosen) return;
  chosen.upload.cancel();
  URL.revokeObjectURL(chosen.preview);
}
