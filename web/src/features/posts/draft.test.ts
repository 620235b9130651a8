import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  clearDraftIfUnchanged,
  toCreatePostInput,
  getIdempotencyKey,
  getDraft,
  parseDraft,
} from "./draft";
import { makeAttachment } from "@/test/factories/attachment";

describe("parseDraft", () => {
  it("reads a stored draft", () => {
    const draft = {
      text: "hi",
      poll: ["a", ""],
      images: [makeAttachment("1")],
      attempt: { key: "k", sent: "s" },
    };
    expect(parseDraft(structuredClone(draft))).toEqual(draft);
  });
  it.each([null, 7, "text", [], {}, { text: 1 }])("makes an empty draft of %j", (value) => {
    expect(parseDraft(value)).toEqual({ text: "", poll: null, images: [] });
  });
  it("keeps the text when the rest is damaged", () => {
    const images = [{ id: "1", alt: "", ready: null }, { id: "2" }, 3, makeAttachment("4")];
    expect(parseDraft({ text: "hi", poll: [1], images, attempt: { key: 1 } })).toEqual({
      text: "hi",
      poll: null,
      images: [makeAttachment("4")],
    });
  });
});

let members = 0;

/** Sends the draft of a member without an earlier one. */
function sendDraft(replyToId?: string) {
  members += 1;
  const draft = getDraft(String(members), replyToId);
  draft.update({ text: "hi ", poll: ["a", "b", ""], images: [makeAttachment("1")] });
  const body = toCreatePostInput(draft.store.get(), replyToId);
  return { draft, body, key: getIdempotencyKey(draft, body) };
}

describe("a draft that is sent", () => {
  let stored: Map<string, string>;
  beforeEach(() => {
    stored = new Map();
    vi.stubGlobal("addEventListener", () => {});
    vi.stubGlobal("localStorage", {
      getItem: (name: string) =>
        name === "kith:member" ? String(members) : (stored.get(name) ?? null),
      setItem: (name: string, value: string) => stored.set(name, value),
      removeItem: (name: string) => stored.delete(name),
    });
  });
  afterEach(() => vi.unstubAllGlobals());

  // proves: composer-key
  it("keeps its key for the same content only", () => {
    const { draft, body, key } = sendDraft();
    expect(getIdempotencyKey(draft, body)).toBe(key);
    expect(getIdempotencyKey(draft, { ...body, content: "ho" })).not.toBe(key);
  });

  // proves: composer-posted-only
  it.each([undefined, "9"])(
    "is empty once it is posted, here and in the storage (%s)",
    (parent) => {
      const { draft, body, key } = sendDraft(parent);
      expect([...stored.keys()]).toEqual([`kith:draft:${members}:${parent ?? "post"}`]);
      expect(clearDraftIfUnchanged(draft, body, key)).toEqual([makeAttachment("1")]);
      expect(draft.store.get()).toEqual({ text: "", poll: null, images: [] });
      expect(stored.size).toBe(0);
    },
  );

  // proves: composer-posted-only
  it.each([{ text: "ho" }, { poll: null }, { images: [] }])("stays when it became %j", (change) => {
    const { draft, body, key } = sendDraft();
    draft.update(change);
    const written = draft.store.get();
    expect(clearDraftIfUnchanged(draft, body, key)).toEqual([]);
    expect(draft.store.get()).toBe(written);
    expect(stored.size).toBe(1);
  });

  // proves: composer-posted-only
  it("stays when it is sent again under another key", () => {
    const { draft, body, key } = sendDraft();
    draft.update({ attempt: { key: "other", sent: JSON.stringify(body) } });
    expect(clearDraftIfUnchanged(draft, body, key)).toEqual([]);
    expect(draft.store.get().text).toBe("hi ");
  });

  // proves: composer-posted-only
  it("leaves an image that was still on its way", () => {
    const { draft, body, key } = sendDraft();
    const late = { id: "2", alt: "", ready: null };
    draft.update(({ images }) => ({ images: [...images, late] }));
    expect(clearDraftIfUnchanged(draft, body, key)).toEqual([makeAttachment("1")]);
    expect(draft.store.get()).toEqual({ text: "", poll: null, images: [late] });
  });
});
