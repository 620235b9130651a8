import { createStore } from "@/lib/store";
import { ApiError, hasStatus, sentenceOf } from "../error";
import { showFailure } from "../failure";
import { mayPass, RETRY_DELAYS, type Sending, sendFile, withRetries } from "../send-file";
import type { UploadAddress } from "../uploads";
import { addressFor } from "./address";
import type { Engine } from "./engine";
import { type UploadStatus, WAITING } from "./status";

/** A file that may be uploaded, and the type that its first bytes told. */
export interface ImageFile {
  file: File;
  type: string;
}

/** What remains to be done with a file that was sent. */
export type Finish = (address: UploadAddress) => Promise<void>;

/**
 * The upload of one file. Nothing happens until `begin`; the uploader itself is fetched then, so
 * that who uploads nothing never loads it.
 */
export class Upload {
  /** How it goes. */
  readonly status = createStore<UploadStatus>(WAITING);
  readonly #image: ImageFile;
  readonly #finish: Finish;
  readonly #address;
  #engine: Engine | null = null;
  #sentTo: UploadAddress | null = null;
  #cancelled = false;

  constructor(image: ImageFile, finish: Finish) {
    this.#image = image;
    this.#finish = finish;
    this.#address = addressFor({ size: image.file.size, type: image.type });
  }

  /** Begins, or begins again after a failure. */
  async begin(): Promise<void> {
    const { phase } = this.status.get();
    if (this.#cancelled || (phase !== "waiting" && phase !== "error")) return;
    if (this.#engine) return this.#engine.retry();
    this.#tell({ ...WAITING, phase: "preprocessing" });
    try {
      const { createEngine } = await import("./engine");
      if (this.#cancelled) return;
      this.#engine = createEngine(this.#image.file, this.#image.type, {
        address: () => this.#ask(),
        send: (sending) => this.#send(sending),
        finish: () => this.#finishOff(),
        isLost: (error) => error instanceof Error && isRefusedFile(error.cause),
        onStatus: (status) => this.#tell(status),
      });
      this.#engine.begin();
    } catch (error) {
      this.#tell({ ...WAITING, phase: "error", detail: whyFailed(error) });
    }
  }

  /** Holds the transfer, or goes on with it. */
  pauseOrResume(): void {
    if (this.status.get().phase === "uploading") this.#engine?.pauseOrResume();
  }

  /** Stops it for good; what the server has of it, it may delete unless it is in use. */
  cancel(): void {
    if (this.#cancelled) return;
    const done = this.status.get().phase === "complete";
    this.#cancelled = true;
    this.#engine?.close();
    if (!done) this.#address.giveBack();
  }

  #tell(status: UploadStatus): void {
    if (this.#cancelled) return;
    this.status.set(status);
    if (status.phase !== "complete") return;
    // The uploader is still in the middle of saying so.
    const engine = this.#engine;
    this.#engine = null;
    queueMicrotask(() => engine?.close());
  }

  async #ask(): Promise<UploadAddress> {
    try {
      this.#sentTo = await this.#address.get();
      return this.#sentTo;
    } catch (error) {
      if (!this.#cancelled) {
        showFailure(error, "Failed to get upload URL. Please try again.", "Upload Error");
      }
      throw inWords(error);
    }
  }

  async #send(sending: Sending): Promise<void> {
    try {
      await withRetries(() => sendFile(sending), RETRY_DELAYS, sending.signal);
    } catch (error) {
      // Expired, or used up: the next try needs another one.
      if (!mayPass(error)) this.#address.forget();
      throw inWords(error);
    }
  }

  async #finishOff(): Promise<void> {
    try {
      if (this.#sentTo) await this.#finish(this.#sentTo);
    } catch (error) {
      if (isRefusedFile(error)) this.#address.forget();
      throw inWords(error);
    }
  }
}

/** The failure in words for the member. */
function inWords(error: unknown): Error {
  return new Error(whyFailed(error), { cause: error });
}

function whyFailed(error: unknown): string {
  const isAnswer = error instanceof ApiError;
  return sentenceOf(error, isAnswer ? "Something went wrong." : "Kith can't be reached right now.");
}

/** Whether the server has the file no longer: it lost it, or it is no image. */
function isRefusedFile(error: unknown): boolean {
  return [404, 415, 422].some((status) => hasStatus(error, status));
}
