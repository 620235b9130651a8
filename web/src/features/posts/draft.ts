import { useMemo } from "react";
import { DRAFT, draftsForgotten } from "@/lib/drafts";
import { isMemberGone } from "@/lib/member-hint";
import { createStore, type Store, useStore } from "@/lib/store";
import { type DraftImage, keptImages, parseImages } from "./draft-images";
import type { PollDraft } from "./poll-draft";

/** A post being written. */
export interface Draft {
  text: string;
  poll: PollDraft;
  images: readonly DraftImage[];
  /**
   * The key the draft was last sent with, and what was sent. The same content keeps its key, so
   * that trying again after a lost answer does not publish twice.
   */
  attempt?: { key: string; sent: string };
}

/** Changes parts of the draft, perhaps by what it is at that moment. */
export type ChangeDraft = (change: Partial<Draft> | ((draft: Draft) => Partial<Draft>)) => void;

const empty: Draft = { text: "", poll: null, images: [] };
const open = new Map<string, Store<Draft>>();
draftsForgotten.subscribe(() => {
  for (const store of open.values()) store.set(empty);
  open.clear();
});

/**
 * The draft of a member's new post, or of their reply to a post. Every composer for the same thing
 * shares it, and it survives a reload.
 */
export function useDraft(memberId: string, replyToId?: string) {
  const name = `${DRAFT}${memberId}:${replyToId ?? "post"}`;
  const store = useMemo(() => openDraft(name), [name]);
  const draft = useStore(store);
  const actions = useMemo(() => {
    const set = (next: Draft) => {
      store.set(next);
      keep(name, next);
    };
    const change: ChangeDraft = (parts) => {
      const now = store.get();
      set({ ...now, ...(typeof parts === "function" ? parts(now) : parts) });
    };
    return { change, clear: () => set(empty) };
  }, [name, store]);
  return { draft, ...actions };
}

function openDraft(name: string): Store<Draft> {
  const existing = open.get(name);
  if (existing) return existing;
  const store = createStore(read(name));
  open.set(name, store);
  return store;
}

function keep(name: string, draft: Draft): void {
  // The device has forgotten the drafts of whoever logged out in another tab.
  if (isMemberGone()) return;
  const images = keptImages(draft.images);
  try {
    if (draft.text === "" && draft.poll === null && images.length === 0) {
      localStorage.removeItem(name);
    } else {
      localStorage.setItem(name, JSON.stringify({ ...draft, images }));
    }
  } catch {
    // A full or forbidden storage costs the draft its life after a reload, and nothing else.
  }
}

function read(name: string): Draft {
  try {
    return parseDraft(JSON.parse(localStorage.getItem(name) ?? "null"));
  } catch {
    return empty;
  }
}

/** Makes a draft of whatever an earlier version may have stored. */
export function parseDraft(value: unknown): Draft {
  if (typeof value !== "object" || value === null) return empty;
  const { text, poll, images, attempt } = value as Record<string, unknown>;
  if (typeof text !== "string") return empty;
  const options = Array.isArray(poll) && poll.every((it) => typeof it === "string") ? poll : null;
  return {
    text,
    poll: options,
    images: parseImages(images),
    ...(isAttempt(attempt) && { attempt }),
  };
}

function isAttempt(value: unknown): value is NonNullable<Draft["attempt"]> {
  if (typeof value !== "object" || value === null) return false;
  const { key, sent } = value as Record<string, unknown>;
  return typeof key === "string" && typeof sent === "string";
}
