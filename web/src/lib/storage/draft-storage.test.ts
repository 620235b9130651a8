import { afterEach, expect, it, vi } from "vitest";
import { listPostIdsWithReplyDraft } from "./draft-storage";

afterEach(() => void vi.unstubAllGlobals());

it("lists the posts that one member has begun to reply to", () => {
  vi.stubGlobal("localStorage", {
    "kith:draft:7:post": "",
    "kith:draft:7:123": "",
    "kith:draft:70:456": "",
    "kith:member": "7",
  });
  expect(listPostIdsWithReplyDraft("7")).toEqual(["123"]);
});

it("lists none without a storage", () => {
  vi.stubGlobal("localStorage", undefined);
  expect(listPostIdsWithReplyDraft("7")).toEqual([]);
});
