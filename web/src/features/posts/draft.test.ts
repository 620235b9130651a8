import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { clearPosted, newPost, noteAttempt, openDraft, parseDraft } from "./draft";
import { readyImage } from "./invented-image";

describe("parseDraft", () => {
  it("reads back what was kept", () => {
    const draft = {
      text: "hi",
      poll: ["a", ""],
      images: [readyImage("1")],
      attempt: { key: "k", sent: "s" },
    };
    expect(parseDraft(structuredClone(draft))).toEqual(draft);
  });
  it.each([null, 7, "text", [], {}, { text: 1 }])("makes an empty draft of %j", (value) => {
    expect(parseDraft(value)).toEqual({ text: "", poll: null, images: [] });
  });
  it("keeps the text when the rest is damaged", () => {
    const images = [{ id: "1", alt: "", ready: null }, { id: "2" }, 3, readyImage("4")];
    expect(parseDraft({ text: "hi", poll: [1], images, attempt: { key: 1 } })).toEqual({
      text: "hi",
      poll: null,
      images: [readyImage("4")],
    });
  });
});

let members = 0;

/** Sends the draft of a member who had none so far. */
function sendDraft(replyToId?: string) {
  members += 1;
  const draft = openDraft(String(members), replyToId);
  draft.change({ text: "hi ", poll: ["a", "b", ""], images: [readyImage("1")] });
  const body = newPost(draft.store.get(), replyToId);
  return { draft, body, key: noteAttempt(draft, body) };
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
    expect(noteAttempt(draft, body)).toBe(key);
    expect(noteAttempt(draft, { ...body, content: "ho" })).not.toBe(key);
  });

  // proves: composer-posted-only
  it.each([undefined, "9"])(
    "is empty once it is posted, here and in the storage (%s)",
    (parent) => {
      const { draft, body, key } = sendDraft(parent);
      expect([...stored.keys()]).toEqual([`kith:draft:${members}:${parent ?? "post"}`]);
      expect(clearPosted(draft, body, key)).toEqual([readyImage("1")]);
      expect(draft.store.get()).toEqual({ text: "", poll: null, images: [] });
      expect(stored.size).toBe(0);
    },
  );

  // proves: composer-posted-only
  it.each([{ text: "ho" }, { poll: null }, { images: [] }])("stays when it became %j", (change) => {
    const { draft, body, key } = sendDraft();
    draft.change(change);
    const written = draft.store.get();
    expect(clearPosted(draft, body, key)).toEqual([]);
    expect(draft.store.get()).toBe(written);
    expect(stored.size).toBe(1);
  });

  // proves: composer-posted-only
  it("stays when it is sent anew under another key", () => {
    const { draft, body, key } = sendDraft();
    draft.change({ attempt: { key: "other", sent: JSON.stringify(body) } });
    expect(clearPosted(draft, body, key)).toEqual([]);
    expect(draft.store.get().text).toBe("hi ");
  });

  // proves: composer-posted-only
  it("leaves an image that was still on its way", () => {
    const { draft, body, key } = sendDraft();
    const late = { id: "2", alt: "", ready: null };
    draft.change(({ images }) => ({ images: [...images, late] }));
    expect(clearPosted(draft, body, key)).toEqual([readyImage("1")]);
    expect(draft.store.get()).toEqual({ text: "", poll: null, images: [late] });
  });
});
