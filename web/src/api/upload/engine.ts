import AwsS3, { type AwsBody } from "@uppy/aws-s3";
import Uppy, { type Meta } from "@uppy/core";
import { IMAGE_TYPES, MAX_IMAGE_BYTES } from "@/lib/image-file";
import { RETRY_DELAYS, type Sending } from "../send-file";
import type { UploadAddress } from "../uploads";
import { statusOf, type UploadStatus } from "./status";

const AT_A_TIME = 6;

/** What an upload needs from outside. What these throw has a message for the member. */
export interface Steps {
  /** Where to send the file. */
  address: () => Promise<UploadAddress>;
  /** Sends it, with all the tries that it is worth. */
  send: (sending: Sending) => Promise<void>;
  /** What remains to be done once the file is there. */
  finish: () => Promise<void>;
  /** Whether the file must be sent anew after finishing it off failed so. */
  isLost: (error: unknown) => boolean;
  onStatus: (status: UploadStatus) => void;
}

/** One file in Uppy's hands. */
export interface Engine {
  begin(): void;
  /** Holds the transfer, or goes on with it: from the start, since one request is all or nothing. */
  pauseOrResume(): void;
  retry(): void;
  /** Stops whatever goes on and forgets the file. */
  close(): void;
}

const silent = { debug() {}, warn() {}, error() {} };

/** Sets up the upload of one file: prepared, sent by one `PUT`, finished off. */
export function createEngine(file: File, type: string, steps: Steps): Engine {
  const uppy = new Uppy<Meta, AwsBody>({
    autoProceed: false,
    logger: silent,
    restrictions: {
      maxNumberOfFiles: 1,
      maxFileSize: MAX_IMAGE_BYTES,
      allowedFileTypes: [...IMAGE_TYPES],
    },
  });
  uppy.use(AwsS3<Meta, AwsBody>, {
    shouldUseMultipart: false,
    limit: AT_A_TIME,
    retryDelays: RETRY_DELAYS,
    async getUploadParameters() {
      const { url, headers } = await steps.address();
      return { method: "PUT", url, headers: { ...headers } };
    },
    // Uppy tries again for parts only, and waits for an ETag that a single answer need not have.
    async uploadPartBytes({ signature, body, onProgress, signal = new AbortController().signal }) {
      const { url, headers = {} } = signature;
      await steps.send({
        url,
        headers,
        body: body as Blob,
        onProgress: report(onProgress),
        signal,
      });
      return { ETag: "" };
    },
  });
  const id = uppy.addFile({ name: file.name || "image", type, data: file });
  // The address is asked for before anything is sent; a pause then goes on with the same one.
  uppy.addPreProcessor(async () => {
    const sent = uppy.getFile(id).progress.uploadComplete;
    if (!sent) await step("preprocess", async () => void (await steps.address()));
  });
  uppy.addPostProcessor(async () => {
    if (!uppy.getFile(id).error) await step("postprocess", steps.finish);
  });
  uppy.on("state-update", () => {
    const state = uppy.getState().files[id];
    if (state) steps.onStatus(statusOf(state));
  });

  async function step(name: "preprocess" | "postprocess", work: () => Promise<void>) {
    uppy.emit(`${name}-progress`, uppy.getFile(id), { mode: "indeterminate" });
    try {
      await work();
    } catch (error) {
      const state = uppy.getState().files[id];
      if (state) {
        if (steps.isLost(error)) uppy.setFileState(id, { progress: unsent(file) });
        uppy.emit("upload-error", state, error as Error);
      }
      throw error;
    }
  }
  return {
    // What fails is in the file's state, which is told.
    begin: () => void uppy.upload().catch(() => undefined),
    pauseOrResume: () => void uppy.pauseResume(id),
    retry: () => void uppy.retryUpload(id).catch(() => undefined),
    close: () => uppy.destroy(),
  };
}

function unsent({ size }: File) {
  const nothing = { bytesUploaded: false, uploadComplete: false, uploadStarted: null } as const;
  return { ...nothing, bytesTotal: size, percentage: 0 };
}

/** Bytes that are out, in the form of the event that Uppy expects. */
function report(onProgress: (event: object) => void) {
  return (loaded: number) => onProgress({ loaded, lengthComputable: true });
}
