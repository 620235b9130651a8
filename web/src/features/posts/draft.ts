import type { CreatePostInput } from "@/api/types";
import { DRAFT_KEY_PREFIX } from "@/lib/storage/draft-storage";
import { MAX_IMAGES } from "@/lib/images/validate-image";
import { getHintedUserId } from "@/lib/storage/session-hint";
import { normalizePost } from "@/lib/text/post-text";
import { randomId } from "@/lib/text/random-id";
import { readStorage, writeStorage } from "@/lib/storage/web-storage";
import { createStore, type Store } from "@/lib/state/store";
import { type DraftImage, imagesOfPost, isRecord, keptImages, parseImages } from "./draft-images";
import { type PollDraft, pollOptions } from "./poll-draft";

export interface Draft {
  text: string;
  poll: PollDraft;
  images: readonly DraftImage[];
  /**
   * The key the draft was last sent with, and what was sent. The same content keeps its key, so
   * that trying again after a lost answer does not publish twice.
   */
  attempt?: { key: string; sent: string } | undefined;
  /** How many images were lost when the page was reloaded during their upload. */
  lost?: number | undefined;
}

/** Changes parts of the draft, perhaps by what it is at that moment. */
export type ChangeDraft = (change: Partial<Draft> | ((draft: Draft) => Partial<Draft>)) => void;

export interface OpenDraft {
  name: string;
  store: Store<Draft>;
  change: ChangeDraft;
}

export function isEmptyDraft({ text, poll, images }: Draft): boolean {
  return text === "" && poll === null && images.length === 0;
}

/** Names the number of lost images. Of this tab only: in another one they may still be uploading. */
const LOST = "kith:unfinished:";
const empty: Draft = { text: "", poll: null, images: [] };
const open = new Map<string, OpenDraft>();

/**
 * The draft of a member's new post, or of their reply to a post. Every composer for the same thing
 * shares it, and it survives a reload.
 */
export function openDraft(memberId: string, replyToId?: string): OpenDraft {
  const name = `${DRAFT_KEY_PREFIX}${memberId}:${replyToId ?? "post"}`;
  const existing = open.get(name);
  if (existing) return existing;
  /** The draft in the storage when this tab last read or wrote it. */
  let seen: string | null | undefined;
  /** Whether the storage did not take the last change: it is in this tab only. */
  let isUnsaved = false;

  /** The draft as the storage has it now, with the images that this tab is uploading. */
  function latest(held: Draft): Draft {
    const value = readStorage("localStorage", name) ?? null;
    if (isUnsaved || value === seen) return held;
    seen = value;
    const draft = parse(value);
    const uploading = held.images.filter(({ ready }) => !ready);
    const images = [...draft.images, ...uploading].slice(0, MAX_IMAGES);
    return { ...draft, lost: held.lost, images };
  }

  const lost = Number(readStorage("sessionStorage", LOST + name)) || undefined;
  const store = createStore(latest({ ...empty, lost }));
  const change: ChangeDraft = (parts) => {
    // Of another tab's write this one may not have heard yet: only what changes here is replaced.
    const now = latest(store.get());
    const next = { ...now, ...(typeof parts === "function" ? parts(now) : parts) };
    store.set(next);
    // A member who logged out in another tab leaves nothing on the device.
    if (getHintedUserId() !== memberId) return;
    const kept = { ...next, images: keptImages(next.images), lost: undefined };
    const value = isEmptyDraft(kept) ? null : JSON.stringify(kept);
    // A full or forbidden storage costs the draft its life after a reload, and nothing else.
    isUnsaved = !writeStorage("localStorage", name, value);
    if (!isUnsaved) seen = value;
    const unfinished = (next.lost ?? 0) + next.images.length - kept.images.length;
    writeStorage("sessionStorage", LOST + name, unfinished === 0 ? null : String(unfinished));
  };
  // The last write of any tab wins.
  addEventListener("storage", ({ key }) => {
    // By now the storage may have more than the event tells. Without a key it was emptied.
    if (key === name || key === null) store.set(latest(store.get()));
  });
  const opened = { name, store, change };
  open.set(name, opened);
  return opened;
}

export function newPost(draft: Draft, replyToId: CreatePostInput["replyToId"]): CreatePostInput {
  const options = pollOptions(draft.poll);
  return {
    content: normalizePost(draft.text),
    ...imagesOfPost(draft.images),
    ...(options.length > 0 && { pollOptions: options }),
    ...(replyToId && { replyToId }),
  };
}

/** Notes that a draft is sent as `body`, and says with which key. */
export function noteAttempt({ store, change }: OpenDraft, body: CreatePostInput): string {
  const { attempt } = store.get();
  const sent = JSON.stringify(body);
  const key = attempt?.sent === sent ? attempt.key : randomId();
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
  body: CreatePostInput,
  key: string,
): readonly DraftImage[] {
  const draft = store.get();
  const isAsSent = JSON.stringify(newPost(draft, body.replyToId)) === JSON.stringify(body);
  if (draft.attempt?.key !== key || !isAsSent) return [];
  const images = draft.images.filter(({ ready }) => !ready);
  change({ ...empty, images, attempt: undefined, lost: undefined });
  return keptImages(draft.images);
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
  if (!isRecord(value) || typeof value["text"] !== "string") return empty;
  const { text, poll, images, attempt } = value;
  const options = Array.isArray(poll) && poll.every((it) => typeof it === "string") ? poll : null;
  return {
    text,
    poll: options,
    images: parseImages(images),
    ...(isAttempt(attempt) && { attempt }),
  };
}

function isAttempt(value: unknown): value is NonNullable<Draft["attempt"]> {
  return isRecord(value) && typeof value["key"] === "string" && typeof value["sent"] === "string";
}
