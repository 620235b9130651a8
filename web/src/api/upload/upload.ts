import { t } from "@lingui/core/macro";
import { isLeaving } from "@/lib/navigation/leave-page";
import { createStore, useStore } from "@/lib/state/store";
import { describeError, hasStatus, isRetryable } from "@/api/api-error";
import { redirectToLogin, handleMutationError } from "@/api/handle-mutation-error";
import { RETRY_DELAYS_MS, putWithProgress, withRetries } from "./xhr-put";
import { cancelUpload, requestUpload, type UploadTarget } from "./endpoints";

/** An upload URL lives ten minutes; one that is older than this is replaced. */
const URL_REUSE_MS = 9 * 60_000;

export interface UploadStatus {
  phase: "waiting" | "preprocessing" | "uploading" | "postprocessing" | "complete" | "error";
  /** Whether the member paused it; only while uploading. */
  paused: boolean;
  percent: number;
  detail: string | null;
}

const INITIAL_UPLOAD_STATUS: UploadStatus = {
  phase: "waiting",
  paused: false,
  percent: 0,
  detail: null,
};

/** The upload of one file by one `PUT`. Nothing happens until `start`. */
export class Upload {
  readonly status = createStore<UploadStatus>(INITIAL_UPLOAD_STATUS);
  /** Kept between tries, since each URL that is requested counts. */
  #address: Promise<UploadTarget> | null = null;
  #requestedAt = 0;
  #sentTo: UploadTarget | null = null;
  #attempt: AbortController | null = null;
  #cancelled = false;

  constructor(
    /** The file, and the type that its first bytes show. */
    private readonly image: { file: File; type: string },
    private readonly onUploaded: (address: UploadTarget) => Promise<void>,
  ) {}

  /** Begins, resumes, or tries again after a failure. */
  async start(): Promise<void> {
    const { phase, paused } = this.status.get();
    if (this.#cancelled || (phase !== "waiting" && phase !== "error" && !paused)) return;
    this.#attempt = new AbortController();
    const { signal } = this.#attempt;
    try {
      this.#sentTo ??= await this.#send(signal);
      this.#show({ phase: "postprocessing", percent: 100 });
      await this.onUploaded(this.#sentTo);
      this.#show({ phase: "complete", percent: 100 });
    } catch (error) {
      if (this.#cancelled || (signal.aborted && !this.#sentTo)) return;
      if (hasStatus(error, 401)) redirectToLogin();
      // A rejected URL has expired or was used; a file that the server rejected or lost is sent again.
      if (this.#sentTo ? hasStatus(error, 404, 415, 422) : !isRetryable(error))
        this.#returnAddress();
      this.#show({ phase: "error", detail: describeError(error) });
    }
  }

  /** Pauses the transfer, or resumes it: from the start, since one request is all or nothing. */
  pauseOrResume(): void {
    const { phase, paused, percent } = this.status.get();
    if (phase !== "uploading") return;
    if (paused) return void this.start();
    this.#attempt?.abort();
    this.#show({ phase, percent, paused: true });
  }

  /** Cancels the upload; the server may delete its part of the file unless it is in use. */
  cancel(): void {
    if (this.#cancelled) return;
    this.#cancelled = true;
    this.#attempt?.abort();
    removeEventListener("beforeunload", this.#stay);
    if (this.status.get().phase !== "complete") this.#returnAddress();
  }

  async #send(signal: AbortSignal): Promise<UploadTarget> {
    const address = await this.#requestAddress(signal);
    signal.throwIfAborted();
    const { file } = this.image;
    this.#show({ phase: "uploading" });
    const onProgress = (sent: number) => {
      if (signal.aborted) return;
      this.#show({ phase: "uploading", percent: Math.round((sent / file.size) * 100) });
    };
    const sending = { url: address.url, headers: address.headers, body: file, onProgress, signal };
    await withRetries(() => putWithProgress(sending), RETRY_DELAYS_MS, signal);
    return address;
  }

  async #requestAddress(signal: AbortSignal): Promise<UploadTarget> {
    if (this.#address && Date.now() - this.#requestedAt < URL_REUSE_MS) return this.#address;
    this.#returnAddress();
    this.#requestedAt = Date.now();
    this.#show({ phase: "preprocessing" });
    const { file, type } = this.image;
    this.#address = requestUpload({ size: file.size, type });
    try {
      return await this.#address;
    } catch (error) {
      this.#address = null;
      const fallback = t`Failed to get upload URL. Please try again.`;
      if (!signal.aborted) handleMutationError(error, fallback, t`Upload Error`);
      throw error;
    }
  }

  /** Cancels the requested URL at the server, so that the next try requests another one. */
  #returnAddress(): void {
    this.#address?.then(({ id }) => cancelUpload(id)).catch(() => undefined);
    this.#address = null;
    this.#sentTo = null;
  }

  #show(changed: Partial<UploadStatus>): void {
    if (this.#cancelled) return;
    const status = { ...INITIAL_UPLOAD_STATUS, ...changed };
    // Only while it runs: a page with such a listener may be kept out of the back/forward cache.
    const isOver = status.phase === "complete" || status.phase === "error";
    const listen = isOver ? removeEventListener : addEventListener;
    listen("beforeunload", this.#stay);
    this.status.set(status);
  }

  /** Has the browser ask before it leaves the page. */
  readonly #stay = (event: BeforeUnloadEvent): void => {
    if (!isLeaving()) event.preventDefault();
  };
}

const emptyStatusStore = createStore(INITIAL_UPLOAD_STATUS);

export function useUploadStatus(upload: Upload | undefined): UploadStatus {
  return useStore(upload?.status ?? emptyStatusStore);
}
