import { useMemo } from "react";
import type { NewPost } from "@/api/posts";
import { DRAFT, draftsForgotten } from "@/lib/drafts";
import { isMemberGone } from "@/lib/member-hint";
import { once } from "@/lib/once";
import { normalizePost } from "@/lib/post-text";
import { randomKey } from "@/lib/random-key";
import { createStore, type Store, useStore } from "@/lib/store";
import { type DraftImage, imagesOfPost, keptImages, parseImages } from "./draft-images";
import { type PollDraft, pollOptions } from "./poll-draft";

/** A post being written. */
export interface Draft {
  text: string;
  poll: PollDraft;
  images: readonly DraftImage[];
  /**
   * The key the draft was last sent with, and what was sent. The same content keeps its key, so
   * that trying again after a lost answer does not publish twice.
   */
  attempt?: { key: string; sent: string } | undefined;
}

/** Changes parts of the draft, perhaps by what it is at that moment. */
export type ChangeDraft = (change: Partial<Draft> | ((draft: Draft) => Partial<Draft>)) => void;

/** A draft as this tab holds it, whether a composer shows it or not. */
export interface OpenDraft {
  /** Its name in the storage. */
  name: string;
  store: Store<Draft>;
  change: ChangeDraft;
}

const empty: Draft = { text: "", poll: null, images: [] };
const open = new Map<string, OpenDraft>();
draftsForgotten.subscribe(() => {
  for (const { store } of open.values()) store.set(empty);
  open.clear();
});

/**
 * The draft of a member's new post, or of their reply to a post. Every composer for the same thing
 * shares it, and it survives a reload.
 */
export function useDraft(memberId: string, replyToId?: string) {
  const opened = useMemo(() => openDraft(memberId, replyToId), [memberId, replyToId]);
  return { opened, draft: useStore(opened.store), change: opened.change };
}

/** Takes over what other tabs do with the drafts that are open here; an image on its way stays. */
const followTabs = once(() => {
  addEventListener("storage", ({ key }) => {
    for (const { name, store } of open.values()) {
      if (key !== name && key !== null) continue;
      const uploading = store.get().images.filter(({ ready }) => !ready);
      const draft = read(name);
      store.set({ ...draft, images: [...draft.images, ...uploading] });
    }
  });
});

/** Opens a draft, or finds it open. */
export function openDraft(memberId: string, replyToId?: string): OpenDraft {
  const name = `${DRAFT}${memberId}:${replyToId ?? "post"}`;
  const existing = open.get(name);
  if (existing) return existing;
  followTabs();
  const store = createStore(read(name));
  const change: ChangeDraft = (parts) => {
    const now = store.get();
    const next = { ...now, ...(typeof parts === "function" ? parts(now) : parts) };
    store.set(next);
    keep(name, next);
  };
  const opened = { name, store, change };
  open.set(name, opened);
  return opened;
}

/** The post that a draft makes, as it is sent. */
export function newPost(draft: Draft, replyToId: string | undefined): NewPost {
  const options = pollOptions(draft.poll);
  return {
    content: normalizePost(draft.text),
    ...imagesOfPost(draft.images),
    ...(options.length > 0 && { pollOptions: options }),
    ...(replyToId !== undefined && { replyToId }),
  };
}

/** Notes that a draft is sent as `body`, and says with which key. */
export function noteAttempt({ store, change }: OpenDraft, body: NewPost): string {
  const { attempt } = store.get();
  const sent = JSON.stringify(body);
  const key = attempt?.sent === sent ? attempt.key : randomKey();
  change({ attempt: { key, sent } });
  return key;
}

/**
 * Empties a draft that was posted with `key`, unless something else is written there by now. An
 * image that is still on its way was no part of the post and stays. Returns the posted images.
 */
export function clearPosted(
  { store, change }: OpenDraft,
  body: NewPost,
  key: string,
): readonly DraftImage[] {
  const draft = store.get();
  const isAsSent = JSON.stringify(newPost(draft, body.replyToId)) === JSON.stringify(body);
  if (draft.attempt?.key !== key || !isAsSent) return [];
  change({ ...empty, images: draft.images.filter(({ ready }) => !ready), attempt: undefined });
  return keptImages(draft.images);
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
