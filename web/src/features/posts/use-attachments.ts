import { useState, useSyncExternalStore } from "react";
import { hasStatus } from "@/api/api-error";
import { Upload } from "@/api/upload/upload";
import { cancelUpload, processUpload } from "@/api/upload/endpoints";
import { validateImage, MAX_IMAGES } from "@/lib/images/validate-image";
import { randomId } from "@/lib/text/random-id";
import type { ChangeDraft } from "./draft";
import { changeImage, type DraftImage, roomFor, dropSource, sources } from "./draft-images";

const TOO_MANY = `A post can have at most ${MAX_IMAGES} images.`;
const MOST_PROBLEMS = 3;
const MISSING = "An image is no longer there and was taken out. Everything else is as you left it.";

export function useAttachments(images: readonly DraftImage[], change: ChangeDraft) {
  const [problem, setProblem] = useState<string | null>(null);

  async function attach(files: readonly File[]) {
    const problems: string[] = [];
    for (const file of files) {
      const check = await validateImage(file);
      if ("objection" in check) problems.push(check.objection);
      else if (!add(file, check.type, change)) {
        problems.push(TOO_MANY);
        break;
      }
    }
    setProblem(problems.length === 0 ? null : problems.slice(-MOST_PROBLEMS).join(" "));
  }

  function remove({ id, ready }: DraftImage) {
    setProblem(null);
    dropSource(id);
    if (ready) void cancelUpload(ready.upload);
    change((draft) => ({ images: draft.images.filter((image) => image.id !== id) }));
  }

  /** Takes out the images that the server has no longer, after it rejected a post for that. */
  async function dropMissing() {
    const missing = await Promise.all(images.map(isGone));
    const gone = new Set(images.filter((_, at) => missing[at]).map(({ id }) => id));
    if (gone.size === 0) return;
    gone.forEach(dropSource);
    change((draft) => ({ images: draft.images.filter(({ id }) => !gone.has(id)) }));
    setProblem(MISSING);
  }

  const clearProblem = () => setProblem(null);
  return { attach, remove, dropMissing, clearProblem, problem, waiting: useWaiting(images) };
}

function add(file: File, type: string, change: ChangeDraft): boolean {
  const id = randomId();
  let added = false;
  const upload = new Upload({ file, type }, async ({ id: uploadId }) => {
    const ready = { upload: uploadId, image: await processUpload(uploadId) };
    change((draft) => ({ images: changeImage(draft.images, id, { ready }) }));
  });
  change(({ images }) => {
    added = roomFor(images) > 0;
    if (!added) return {};
    sources.set(id, { upload, preview: URL.createObjectURL(file) });
    return { images: [...images, { id, alt: "", ready: null }], lost: undefined };
  });
  if (added) void upload.start();
  return added;
}

const isGone = async ({ ready }: DraftImage) =>
  ready !== null &&
  processUpload(ready.upload).then(
    () => false,
    (error: unknown) => hasStatus(error, 404),
  );

function useWaiting(images: readonly DraftImage[]): string | null {
  const subscribe = (listener: () => void) => {
    const stops = images.map(({ id }) => sources.get(id)?.upload.status.subscribe(listener));
    return () => stops.forEach((stop) => stop?.());
  };
  const reason = () => {
    const open = images.filter(({ ready }) => !ready);
    if (open.length === 0) return null;
    const phases = open.map(({ id }) => sources.get(id)?.upload.status.get());
    if (phases.some((status) => status?.phase === "error")) {
      return "An image was not uploaded. Try again or remove it.";
    }
    if (phases.some((status) => status?.paused)) return "An upload is paused.";
    return open.length === 1 ? "An image is uploading." : "Images are uploading.";
  };
  return useSyncExternalStore(subscribe, reason, reason);
}
