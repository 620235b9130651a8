import { useEffect, useRef, useState } from "react";
import { showFailure } from "@/api/failure";
import { setOwnImage } from "@/api/own-profile";
import { type UploadStatus, WAITING } from "@/api/upload/status";
import { type ImageFile, Upload } from "@/api/upload/upload";
import { cropOf, type View, WHOLE } from "@/lib/crop";
import { checkImage } from "@/lib/image-file";
import { createStore, useStore } from "@/lib/store";
import { toast } from "@/lib/toast";
import type { ImageKind } from "./own-images";

/** A file that was chosen, before and while it is uploaded. */
interface Chosen {
  image: ImageFile;
  preview: string;
  upload: Upload;
}

const nothing = createStore<UploadStatus>(WAITING);

/** Choosing a file for one's own picture or header, the part to show, and its upload. */
export function useImageUpload(kind: ImageKind) {
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [picture, setPicture] = useState<number | null>(null);
  const [view, setView] = useState<View>(WHOLE);
  const status = useStore(chosen?.upload.status ?? nothing);
  const latest = useRef({ chosen, view, picture });

  useEffect(() => {
    latest.current = { chosen, view, picture };
  });
  // Whoever closes the dialog wants no upload to go on behind it.
  useEffect(() => () => drop(latest.current.chosen), []);

  function uploadOf(image: ImageFile): Upload {
    return new Upload(image, async ({ url }) => {
      const { view: seen, picture: ratio } = latest.current;
      const address = new URL(url);
      address.search = "";
      // What this browser cannot show is cut in its middle.
      const crop = ratio === null ? undefined : cropOf(seen, { picture: ratio, frame: kind.shape });
      try {
        await setOwnImage(kind.which, address.href, crop);
      } catch (error) {
        showFailure(error, kind.failed);
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
    drop(latest.current.chosen);
    setProblem(null);
    setPicture(null);
    setView(WHOLE);
    setChosen({ image, preview: URL.createObjectURL(file), upload: uploadOf(image) });
  }

  /** Stops the upload; the file stays chosen. */
  function cancel() {
    if (!chosen) return;
    chosen.upload.cancel();
    setChosen({ ...chosen, upload: uploadOf(chosen.image) });
  }

  return { chosen, problem, picture, view, status, choose, cancel, setView, setPicture };
}

function drop(chosen: Chosen | null): void {
  if (!chosen) return;
  chosen.upload.cancel();
  URL.revokeObjectURL(chosen.preview);
}
