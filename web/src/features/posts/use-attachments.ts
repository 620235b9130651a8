import { plural, t } from "@lingui/core/macro";
import { useState, useSyncExternalStore } from "react";
import { hasStatus } from "@/api/api-error";
import { Upload } from "@/api/upload/upload";
import { cancelUpload, processUpload } from "@/api/upload/endpoints";
import { validateImage, MAX_IMAGES } from "@/lib/images/validate-image";
import { randomId } from "@/lib/text/random-id";
import type { UpdateDraft } from "./draft";
import { updateAttachment, type DraftAttachment, getRemainingSlots } from "./draft-attachments";
import { releaseLocalFile, localFiles } from "./local-files";

const MAX_SHOWN_PROBLEMS = 3;

export function useAttachments(images: readonly DraftAttachment[], updateDraft: UpdateDraft) {
  const [problem, setProblem] = useState<string | null>(null);

  async function attach(files: readonly File[]) {
    setProblem(await attachFiles(files, updateDraft));
  }

  function remove({ id, ready }: DraftAttachment) {
    setProblem(null);
    releaseLocalFile(id);
    if (ready) void cancelUpload(ready.upload);
    updateDraft((draft) => ({ images: draft.images.filter((image) => image.id !== id) }));
  }

  /** Takes out the images that the server has no longer, after it rejected a post for that. */
  async function dropMissing() {
    const missing = await Promise.all(images.map(isMissingOnServer));
    const missingIds = new Set(images.filter((_, at) => missing[at]).map(({ id }) => id));
    if (missingIds.size === 0) return;
    missingIds.forEach(releaseLocalFile);
    updateDraft((draft) => ({ images: draft.images.filter(({ id }) => !missingIds.has(id)) }));
    setProblem(
      t`An image is no longer there and was taken out. Everything else is as you left it.`,
    );
  }

  const clearProblem = () => setProblem(null);
  return {
    attach,
    remove,
    dropMissing,
    clearProblem,
    problem,
    waiting: useUploadStatusText(images),
  };
}

/** Adds files to a draft and starts to upload them. Returns why some cannot be added, or null. */
export async function attachFiles(
  files: readonly File[],
  updateDraft: UpdateDraft,
): Promise<string | null> {
  const problems: string[] = [];
  for (const file of files) {
    const check = await validateImage(file);
    if ("error" in check) problems.push(check.error);
    else if (!addAttachment(file, check.type, updateDraft)) {
      problems.push(t`A post can have at most ${MAX_IMAGES} images.`);
      break;
    }
  }
  return problems.length === 0 ? null : problems.slice(-MAX_SHOWN_PROBLEMS).join(" ");
}

function addAttachment(file: File, type: string, updateDraft: UpdateDraft): boolean {
  const id = randomId();
  let added = false;
  const upload = new Upload({ file, type }, async ({ id: uploadId }) => {
    const ready = { upload: uploadId, image: await processUpload(uploadId) };
    updateDraft((draft) => ({ images: updateAttachment(draft.images, id, { ready }) }));
  });
  updateDraft(({ images }) => {
    added = getRemainingSlots(images) > 0;
    if (!added) return {};
    localFiles.set(id, { upload, preview: URL.createObjectURL(file) });
    return { images: [...images, { id, alt: "", ready: null }], lostImageCount: undefined };
  });
  if (added) void upload.start();
  return added;
}

const isMissingOnServer = async ({ ready }: DraftAttachment) =>
  ready !== null &&
  processUpload(ready.upload).then(
    () => false,
    (error: unknown) => hasStatus(error, 404),
  );

function useUploadStatusText(images: readonly DraftAttachment[]): string | null {
  const subscribe = (listener: () => void) => {
    const stops = images.map(({ id }) => localFiles.get(id)?.upload.status.subscribe(listener));
    return () => stops.forEach((stop) => stop?.());
  };
  const reason = () => {
    const open = images.filter(({ ready }) => !ready);
    if (open.length === 0) return null;
    const phases = open.map(({ id }) => localFiles.get(id)?.upload.status.get());
    if (phases.some((status) => status?.phase === "error")) {
      return t`An image was not uploaded. Try again or remove it.`;
    }
    if (phases.some((status) => status?.paused)) return t`An upload is paused.`;
    return plural(open.length, {
      one: "An image is uploading.",
      other: "Images are uploading.",
    });
  };
  return useSyncExternalStore(subscribe, reason, reason);
}
