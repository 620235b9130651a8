import { useMemo } from "react";
import type { NewPost } from "@/api/posts";
import { DRAFT, draftsForgotten } from "@/lib/drafts";
import { isMemberGone } from "@/lib/member-hint";
import { once } from "@/lib/once";
import { normalizePost } from "@/lib/post-text";
import { randomKey } from "@/lib/random-key";
import { createStore, type Store, useStore } from "@/lib/store";
import { type DraftImage, imagesOfPost, keptImages, parseImages } from "./draft-images";
import { areTextsApart, mergeDrafts } from "./draft-merge";
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
/** What this tab stored last, by name. */
const written = new Map<string, string | null>();
/** The drafts that the storage did not take when they last changed. */
const refused = new Set<string>();
/** How often this tab stored a draft anew, for what others did, since it was changed here. */
const answered = new Map<string, number>();
/** How often it may: three tabs that hear of each other late could answer each other without end. */
const ANSWERS = 8;
draftsForgotten.subscribe(() => {
  for (const { store } of open.values()) store.set(empty);
  open.clear();
  written.clear();
  refused.clear();
  answered.clear();
});

/**
 * The draft of a member's new post, or of their reply to a post. Every composer for the same thing
 * shares it, and it survives a reload.
 */
export function useDraft(memberId: string, replyToId?: string) {
  const opened = useMemo(() => openDraft(memberId, replyToId), [memberId, replyToId]);
  return { opened, draft: useStore(opened.store), change: opened.change };
}

/** Takes over what other tabs do with the drafts that are open here. */
const followTabs = once(() => {
  addEventListener("storage", ({ key, oldValue, newValue }) => {
    for (const draft of open.values()) {
      if (key === draft.name) follow(draft, parse(oldValue), newValue);
      // A storage that was emptied does not say what it had.
      else if (key === null) follow(draft, parse(serialize(draft.store.get())), null);
    }
  });
});

/**
 * Takes over what another tab changed, and stores what only this tab holds. Whose draft the storage
 * has is known only once it has this tab's or the one heard of; until then more is to be heard.
 */
function follow({ name, store }: OpenDraft, before: Draft, newValue: string | null): void {
  const [mine, after, now] = [store.get(), parse(newValue), stored(name)];
  const merged = mergeDrafts(mine, before, after);
  const isOwn = now === written.get(name);
  const isApart = !isOwn && now === newValue && areTextsApart(mine, before, after);
  // A text that the storage did not take is only here, and not for the other's to replace, nor to replace it.
  const isOnlyHere = isApart && refused.has(name);
  const next = isApart && !isOnlyHere ? { ...merged, text: after.text } : merged;
  store.set(next);
  if (isOnlyHere || !(isOwn || now === newValue)) return;
  const answers = answered.get(name) ?? 0;
  if (serialize(next) === serialize(parse(now))) return;
  if (answers >= ANSWERS) {
    refused.add(name);
    return;
  }
  answered.set(name, answers + 1);
  keep(name, next);
}

/** Opens a draft, or finds it open. */
export function openDraft(memberId: string, replyToId?: string): OpenDraft {
  const name = `${DRAFT}${memberId}:${replyToId ?? "post"}`;
  const existing = open.get(name);
  if (existing) return existing;
  followTabs();
  const store = createStore(parse(stored(name)));
  const change: ChangeDraft = (parts) => {
    const now = store.get();
    const next = { ...now, ...(typeof parts === "function" ? parts(now) : parts) };
    store.set(next);
    answered.delete(name);
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
 * Gives up the key that a draft was sent with, because the post that it names is gone, or the one
 * that it answers: then nothing comes of another key either.
 */
export function dropAttempt({ store, change }: OpenDraft, key: string): void {
  if (store.get().attempt?.key === key) change({ attempt: undefined });
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
  const value = serialize(draft);
  try {
    if (value === null) localStorage.removeItem(name);
    else localStorage.setItem(name, value);
    written.set(name, value);
    refused.delete(name);
  } catch {
    refused.add(name);
    // A full or forbidden storage costs the draft its life after a reload, and nothing else.
  }
}

/** What the storage has of a draft: null for an empty one. */
function serialize(draft: Draft): string | null {
  const images = keptImages(draft.images);
  if (draft.text === "" && draft.poll === null && images.length === 0) return null;
  return JSON.stringify({ ...draft, images });
}

function stored(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

function parse(value: string | null): Draft {
  try {
    return parseDraft(JSON.parse(value ?? "null"));
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
