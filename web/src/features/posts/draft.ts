import type { CreatePostInput } from "@/api/types";
import { getDraftKey } from "@/lib/storage/draft-storage";
import { MAX_IMAGES } from "@/lib/images/validate-image";
import { getHintedUserId } from "@/lib/storage/session-hint";
import { normalizePost } from "@/lib/text/post-text";
import { randomId } from "@/lib/text/random-id";
import { readStorage, writeStorage } from "@/lib/storage/web-storage";
import { createStore, type Store } from "@/lib/state/store";
import {
  type DraftAttachment,
  toImageInput,
  isRecord,
  getUploaded,
  parseAttachments,
} from "./draft-attachments";
import { type PollDraft, pollOptions } from "./poll-draft";

export interface Draft {
  text: string;
  poll: PollDraft;
  images: readonly DraftAttachment[];
  /**
   * The key the draft was last sent with, and what was sent. The same content keeps its key, so
   * that trying again after a lost answer does not publish twice.
   */
  attempt?: { key: string; sent: string } | undefined;
  /** How many images were lost when the page was reloaded during their upload. */
  lostImageCount?: number | undefined;
}

/** Changes fields of the draft, with a function depending on its current state. */
export type UpdateDraft = (change: Partial<Draft> | ((draft: Draft) => Partial<Draft>)) => void;

export interface DraftHandle {
  name: string;
  store: Store<Draft>;
  update: UpdateDraft;
}

export function isEmptyDraft({ text, poll, images }: Draft): boolean {
  return text === "" && poll === null && images.length === 0;
}

/** Names the number of lost images. Of this tab only: in another one they may still be uploading. */
const LOST_IMAGES_KEY_PREFIX = "kith:unfinished:";
const EMPTY_DRAFT: Draft = { text: "", poll: null, images: [] };
const openDrafts = new Map<string, DraftHandle>();

/**
 * The draft of a member's new post, or of their reply to a post. Every composer for the same thing
 * shares it, and it survives a reload.
 */
export function getDraft(userId: string, replyToId?: string): DraftHandle {
  const name = getDraftKey(userId, replyToId);
  const existing = openDrafts.get(name);
  if (existing) return existing;
  /** The draft in the storage when this tab last read or wrote it. */
  let lastStored: string | null | undefined;
  /** Whether the storage did not take the last change: it is in this tab only. */
  let isUnsaved = false;

  /** The draft as the storage has it now, with the images that this tab is uploading. */
  function readLatest(current: Draft): Draft {
    const value = readStorage("localStorage", name) ?? null;
    if (isUnsaved || value === lastStored) return current;
    lastStored = value;
    const draft = parseStoredDraft(value);
    const uploading = current.images.filter(({ ready }) => !ready);
    const images = [...draft.images, ...uploading].slice(0, MAX_IMAGES);
    return { ...draft, lostImageCount: current.lostImageCount, images };
  }

  const lostImageCount =
    Number(readStorage("sessionStorage", LOST_IMAGES_KEY_PREFIX + name)) || undefined;
  const store = createStore(readLatest({ ...EMPTY_DRAFT, lostImageCount }));
  const update: UpdateDraft = (change) => {
    // The storage event of another tab's write may be pending: only fields that change here are replaced.
    const now = readLatest(store.get());
    const next = { ...now, ...(typeof change === "function" ? change(now) : change) };
    store.set(next);
    // A member who logged out in another tab leaves nothing on the device.
    if (getHintedUserId() !== userId) return;
    const stored = { ...next, images: getUploaded(next.images), lost: undefined };
    const value = isEmptyDraft(stored) ? null : JSON.stringify(stored);
    // A full or forbidden storage costs the draft its life after a reload, and nothing else.
    isUnsaved = !writeStorage("localStorage", name, value);
    if (!isUnsaved) lastStored = value;
    const unfinishedCount = (next.lostImageCount ?? 0) + next.images.length - stored.images.length;
    writeStorage(
      "sessionStorage",
      LOST_IMAGES_KEY_PREFIX + name,
      unfinishedCount === 0 ? null : String(unfinishedCount),
    );
  };
  // The last write of any tab wins.
  addEventListener("storage", ({ key }) => {
    // The storage may be newer than the event. An event without a key means that it was cleared.
    if (key === name || key === null) store.set(readLatest(store.get()));
  });
  const handle = { name, store, update };
  openDrafts.set(name, handle);
  return handle;
}

export function toCreatePostInput(
  draft: Draft,
  replyToId: CreatePostInput["replyToId"],
): CreatePostInput {
  const options = pollOptions(draft.poll);
  return {
    content: normalizePost(draft.text),
    ...toImageInput(draft.images),
    ...(options.length > 0 && { pollOptions: options }),
    ...(replyToId && { replyToId }),
  };
}

/** Stores that a draft is sent as `body`, and returns the idempotency key. */
export function getIdempotencyKey({ store, update }: DraftHandle, body: CreatePostInput): string {
  const { attempt } = store.get();
  const content = JSON.stringify(body);
  const key = attempt?.sent === content ? attempt.key : randomId();
  update({ attempt: { key, sent: content } });
  return key;
}

/**
 * Gives up the key that a draft was sent with, because the post that it names is gone, or the one
 * that it answers: then nothing comes of another key either.
 */
export function resetIdempotencyKey({ store, update }: DraftHandle, key: string): void {
  if (store.get().attempt?.key === key) update({ attempt: undefined });
}

/**
 * Empties a draft that was posted with `key`, unless something else is written there by now. An
 * image that is still on its way was no part of the post and stays. Returns the posted images.
 */
export function clearDraftIfUnchanged(
  { store, update }: DraftHandle,
  body: CreatePostInput,
  key: string,
): readonly DraftAttachment[] {
  const draft = store.get();
  const isUnchanged =
    JSON.stringify(toCreatePostInput(draft, body.replyToId)) === JSON.stringify(body);
  if (draft.attempt?.key !== key || !isUnchanged) return [];
  const images = draft.images.filter(({ ready }) => !ready);
  update({ ...EMPTY_DRAFT, images, attempt: undefined, lostImageCount: undefined });
  return getUploaded(draft.images);
}

function parseStoredDraft(value: string | null): Draft {
  try {
    return parseDraft(JSON.parse(value ?? "null"));
  } catch {
    return EMPTY_DRAFT;
  }
}

/** Makes a draft of whatever an earlier version may have stored. */
export function parseDraft(value: unknown): Draft {
  if (!isRecord(value) || typeof value["text"] !== "string") return EMPTY_DRAFT;
  const { text, poll, images, attempt } = value;
  const options = Array.isArray(poll) && poll.every((it) => typeof it === "string") ? poll : null;
  return {
    text,
    poll: options,
    images: parseAttachments(images),
    ...(isAttempt(attempt) && { attempt }),
  };
}

function isAttempt(value: unknown): value is NonNullable<Draft["attempt"]> {
  return isRecord(value) && typeof value["key"] === "string" && typeof value["sent"] === "string";
}
