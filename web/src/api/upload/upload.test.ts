import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ApiError } from "@/api/api-error";
import { Upload, type UploadStatus } from "./upload";
import { type PutRequest, putWithProgress } from "./xhr-put";
import { cancelUpload, requestUpload } from "./endpoints";

vi.mock("./endpoints", () => ({ requestUpload: vi.fn(), cancelUpload: vi.fn() }));
vi.mock("./xhr-put", async (importActual) => ({
  ...(await importActual<object>()),
  putWithProgress: vi.fn(),
}));
vi.mock("@/api/handle-mutation-error", () => ({ handleMutationError: vi.fn() }));

const finish = vi.fn<() => Promise<void>>();
const listening = { add: vi.fn(), remove: vi.fn() };
let sent: { sending: PutRequest; resolve: () => void; reject: (error: Error) => void }[];
let upload: Upload;
let shown: UploadStatus[];

beforeEach(() => {
  [sent, shown] = [[], []];
  vi.stubGlobal("addEventListener", listening.add);
  vi.stubGlobal("removeEventListener", listening.remove);
  vi.mocked(requestUpload).mockImplementation(() => {
    const id = String(vi.mocked(requestUpload).mock.calls.length);
    return Promise.resolve({ url: `http://kith.test/api/objects/${id}`, headers: {}, id });
  });
  vi.mocked(cancelUpload).mockResolvedValue();
  vi.mocked(putWithProgress).mockImplementation(
    (sending) =>
      new Promise((resolve, reject) => {
        sending.signal.addEventListener("abort", () => reject(new Error("Aborted.")));
        sent.push({ sending, resolve, reject });
      }),
  );
  finish.mockResolvedValue();
  const file = new File([new Uint8Array(1_000)], "cat.png", { type: "text/plain" });
  upload = new Upload({ file, type: "image/png" }, finish);
  upload.status.subscribe(() => shown.push(upload.status.get()));
});
afterEach(() => {
  upload.cancel();
  vi.resetAllMocks();
  vi.unstubAllGlobals();
});

const now = () => upload.status.get();
const until = (phase: string) => vi.waitFor(() => expect(now().phase).toBe(phase));
const nth = (index: number) =>
  vi.waitFor(() => {
    const found = sent[index];
    if (!found) throw new Error("Nothing is being sent.");
    return found;
  });
const makeError = (status: number, message: string) =>
  new ApiError(status, "", JSON.stringify({ message }));

describe("an upload", () => {
  // proves: upload-one-file
  it("waits until it is begun", async () => {
    await new Promise((resolve) => setTimeout(resolve));
    expect(now().phase).toBe("waiting");
    expect(requestUpload).not.toHaveBeenCalled();
  });
  // proves: upload-states, upload-direct
  it("is prepared, sent by one PUT, finished and complete", async () => {
    void upload.start();
    const { sending, resolve } = await nth(0);
    expect(requestUpload).toHaveBeenCalledExactlyOnceWith({ size: 1_000, type: "image/png" });
    expect(sending).toMatchObject({ url: "http://kith.test/api/objects/1", headers: {} });
    expect(sending.body.size).toBe(1_000);
    sending.onProgress(420);
    expect(now()).toEqual({ phase: "uploading", paused: false, percent: 42, detail: null });
    resolve();
    await until("complete");
    const phases = shown.map(({ phase }) => phase);
    expect(phases.filter((phase, at) => phase !== phases[at - 1])).toEqual([
      "preprocessing",
      "uploading",
      "postprocessing",
      "complete",
    ]);
    expect(sent).toHaveLength(1);
    upload.cancel();
    expect(cancelUpload, "an image that is shown stays").not.toHaveBeenCalled();
  });
  // proves: upload-leave
  it("requires a confirmation to leave the page while it runs", async () => {
    void upload.start();
    expect(listening.add).toHaveBeenCalledWith("beforeunload", expect.any(Function));
    (await nth(0)).resolve();
    await until("complete");
    expect(listening.remove).toHaveBeenLastCalledWith("beforeunload", expect.any(Function));
  });
  // proves: upload-actions
  it("is paused, and resumed from the start", async () => {
    void upload.start();
    const first = await nth(0);
    first.sending.onProgress(600);
    upload.pauseOrResume();
    expect(now()).toMatchObject({ phase: "uploading", paused: true, percent: 60 });
    expect(first.sending.signal.aborted).toBe(true);
    upload.pauseOrResume();
    const second = await nth(1);
    second.sending.onProgress(100);
    expect(now()).toMatchObject({ paused: false, percent: 10 });
    second.resolve();
    await until("complete");
    expect(requestUpload).toHaveBeenCalledTimes(1);
  });
  // proves: upload-actions, upload-failed
  it("fails with a reason, and is tried again at another URL", async () => {
    void upload.start();
    (await nth(0)).reject(makeError(410, "This upload URL has expired."));
    await until("error");
    expect(now().detail).toBe("This upload URL has expired.");
    void upload.start();
    const { sending, resolve } = await nth(1);
    expect(sending.url).toBe("http://kith.test/api/objects/2");
    resolve();
    await until("complete");
    expect(now().detail).toBeNull();
  });
  it("is not sent without a URL", async () => {
    vi.mocked(requestUpload).mockRejectedValueOnce(makeError(503, "Kith is busy."));
    await upload.start();
    expect(now()).toMatchObject({ phase: "error", detail: "Kith is busy." });
    expect(sent).toHaveLength(0);
    void upload.start();
    (await nth(0)).resolve();
    await until("complete");
  });
  it.each([
    ["could not be finished is finished again, and not sent again", 503, 1],
    ["was lost by the server is sent again", 404, 2],
  ])("that %s", async (_, status, times) => {
    finish.mockRejectedValueOnce(makeError(status, "Try again."));
    void upload.start();
    (await nth(0)).resolve();
    await until("error");
    void upload.start();
    if (times > 1) (await nth(1)).resolve();
    await until("complete");
    expect(finish).toHaveBeenCalledTimes(2);
    expect(sent).toHaveLength(times);
  });
  it("that is cancelled ends, is cancelled at the server, and shows nothing more", async () => {
    void upload.start();
    const { sending } = await nth(0);
    const before = now();
    upload.cancel();
    expect(sending.signal.aborted).toBe(true);
    await vi.waitFor(() => expect(cancelUpload).toHaveBeenCalledExactlyOnceWith("1"));
    expect(now()).toBe(before);
    expect(finish).not.toHaveBeenCalled();
    expect(listening.remove).toHaveBeenLastCalledWith("beforeunload", expect.any(Function));
    await upload.start();
    expect(sent).toHaveLength(1);
  });
});
