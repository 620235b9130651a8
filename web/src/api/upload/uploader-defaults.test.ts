import AwsS3 from "@uppy/aws-s3";
import Uppy from "@uppy/core";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

const MIB = 1_024 * 1_024;
const logger = { debug() {}, warn() {}, error() {} };

beforeEach(() => void vi.useFakeTimers({ loopLimit: 100_000 }));
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Uploads what would have this many bytes, as far as the uploader can tell; answers its parts. */
async function partsOf(size: number) {
  const parts: number[] = [];
  let open = 0;
  let most = 0;
  const uppy = new Uppy({ logger });
  uppy.use(AwsS3, {
    getUploadParameters: () => ({ method: "PUT", url: "http://kith.test/whole", headers: {} }),
    createMultipartUpload: () => ({ uploadId: "1", key: "k" }),
    listParts: () => [],
    signPart: () => ({ url: "http://kith.test/part" }),
    abortMultipartUpload() {},
    completeMultipartUpload: () => ({ location: "http://kith.test/done" }),
    async uploadPartBytes({ size: bytes = 0 }) {
      parts.push(bytes);
      open += 1;
      most = Math.max(most, open);
      await new Promise((resolve) => setTimeout(resolve, 1));
      open -= 1;
      return { ETag: "e" };
    },
  });
  const data = { size, slice: (from: number, to: number) => ({ size: to - from }) };
  uppy.addFile({ name: "large", data: data as unknown as Blob });
  await Promise.all([uppy.upload(), vi.runAllTimersAsync()]);
  return { parts, most };
}

describe("the uploader's defaults", () => {
  // proves: upload-defaults
  it("send 100 MiB at once, and more in parts of at least 5 MiB, 6 at a time", async () => {
    expect((await partsOf(100 * MIB)).parts).toEqual([100 * MIB]);
    const { parts, most } = await partsOf(100 * MIB + 1);
    expect(parts).toHaveLength(21);
    expect(parts.slice(0, -1).every((bytes) => bytes === 5 * MIB)).toBe(true);
    expect(most).toBe(6);
  });
  // proves: upload-defaults
  it("make at most 10,000 parts", async () => {
    const { parts } = await partsOf(10_000 * 5 * MIB + 10_000);
    expect(parts).toHaveLength(10_000);
    expect(Math.max(...parts)).toBe(5 * MIB + 1);
  }, 30_000);
  // proves: upload-defaults
  it("try again after 0, 1, 3 and 5 seconds", () => {
    const uppy = new Uppy({ logger }).use(AwsS3, { endpoint: "http://kith.test" });
    const { opts } = uppy.getPlugin("AwsS3Multipart") as unknown as { opts: object };
    expect(opts).toMatchObject({ retryDelays: [0, 1_000, 3_000, 5_000], limit: 6 });
  });
});

/** Begins to upload a file that lies at some other service. */
function beginRemote() {
  const uppy = new Uppy({ logger }).use(AwsS3, { endpoint: "http://kith.test" });
  const plugin = uppy.getPlugin("AwsS3Multipart") as unknown as Record<symbol, () => unknown>;
  uppy.registerRequestClient("remote", plugin[Symbol.for("uppy test: getClient")]?.());
  uppy.addFile({
    name: "far away",
    isRemote: true,
    data: { size: 10 },
    remote: {
      companionUrl: "http://kith.test",
      url: "/far",
      body: {},
      requestClientId: "remote",
      host: "",
      provider: "",
    },
  } as unknown as File);
  void uppy.upload().catch(() => undefined);
}

describe("the uploader's defaults for remote uploads", () => {
  // proves: upload-defaults
  it("are 10 retries", async () => {
    const fetched = vi.fn(() => Promise.resolve(Response.json({}, { status: 500 })));
    vi.stubGlobal("fetch", fetched);
    beginRemote();
    await vi.runAllTimersAsync();
    expect(fetched).toHaveBeenCalledTimes(1 + 10);
  });
  // proves: upload-defaults
  it("are 5 minutes without a sign of life", async () => {
    const fetched = vi.fn(() => Promise.resolve(Response.json({ token: "t" })));
    vi.stubGlobal("fetch", fetched);
    const closed = vi.fn();
    vi.stubGlobal(
      "WebSocket",
      class extends EventTarget {
        close = closed;
      },
    );
    beginRemote();
    await vi.advanceTimersByTimeAsync(5 * 60_000 - 1_000);
    expect(closed).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(closed).toHaveBeenCalled();
  });
});
