import { expect } from "@playwright/test";
import type { Post } from "../../src/api/types";
import { normalizePost } from "../../src/lib/text/post-text";
import { segmentRichText } from "../../src/features/posts/segment-rich-text";
import type { Step } from "./page-checker-types";
import { toSingleLine } from "./payloads";
import { sendRequest, requestJson, mapConcurrently, type Writer } from "./requests";
import type { Session } from "./session";

/** Two payloads: one short enough for a name, and one for longer fields. */
export interface PayloadPair {
  name: string;
  text: string;
}

/** The texts that a writer saved, as screens should show them. */
interface WrittenPayload {
  by: Writer;
  name: string;
  text: string;
  postId: string;
  /** The text of the post, with shortened URLs. */
  post: string;
  /** The text of the reply, which has the payload also as a mention, a hashtag and a URL. */
  reply: string;
  /** The text of the reply, without shortened URLs. */
  fullReply: string;
  /** The description of the image. */
  alt: string;
  /** The post in the list of reports, with the link to its image. */
  evidence: string;
}

/** Saves payloads in every field of each writer, below a post of the founder's; returns the saved texts. */
export function writeAll(
  people: readonly Writer[],
  words: readonly PayloadPair[],
  root: string,
): Promise<WrittenPayload[]> {
  return mapConcurrently(words, 4, (one, at) => {
    const [by, other] = [people[at], people[(at + 1) % people.length]];
    if (!by || !other) throw new Error("There is no author.");
    return write(by, other, root, one);
  });
}

async function write(
  by: Writer,
  other: Writer,
  root: string,
  words: PayloadPair,
): Promise<WrittenPayload> {
  await updateProfile(by, words);
  const { text } = words;
  const name = toSingleLine(words.name);
  const body = {
    content: text,
    pollOptions: [words.name, "Another"],
    imageUrls: [by.image],
    imageAlts: [text],
  };
  const post = await requestJson<Post>(by.session, "POST /api/posts", { body });
  const content = `@founder ${text}\n#t${text} @${text}\nhttps://h.example/${text}`;
  const reply = await requestJson<Post>(by.session, "POST /api/posts", {
    body: { content, replyToId: root },
  });
  expect(post.content).toBe(normalizePost(text));
  expect(reply.content).toBe(normalizePost(content));
  await interactWithPost(other.session, by, post.id, words);
  const fullReply = reply.content;
  const alt = normalizePost(text);
  const evidence = `${post.content}\n• ${name}\n• Another\nImage: ${alt}`;
  const texts = { post: getShownText(post), reply: getShownText(reply), fullReply, alt, evidence };
  return { by, name, text, postId: post.id, ...texts };
}

/** Saves name, bio and website. A payload alone is no valid website, and inside of one it stays an http(s) URL. */
async function updateProfile(by: Writer, { name, text }: PayloadPair): Promise<void> {
  for (const website of [text, `https://h.example/?${text}`]) {
    await sendRequest(by.session, "PUT /api/users/profile", { body: { website } });
    const me = await requestJson<{ website: string }>(by.session, "GET /api/auth/me");
    expect(me.website).toMatch(/^(?:https?:\/\/[^/@]+\.[^/@]+\/\S*)?$/);
  }
  await requestJson(by.session, "PUT /api/users/profile", {
    body: { displayName: name, bio: text },
  });
}

/** Votes, reposts, and reports the post and its author, as another member. */
async function interactWithPost(
  session: Session,
  by: Writer,
  id: string,
  { name, text }: PayloadPair,
) {
  const path = { id };
  await requestJson(session, "POST /api/posts/{id}/vote", {
    path,
    body: { option: toSingleLine(name) },
  });
  await requestJson(session, "POST /api/posts", { body: { repostOfId: id } });
  const about = [
    { postId: id, note: text },
    { userId: by.id, note: name },
  ];
  for (const body of about) {
    await requestJson(session, "POST /api/reports", { body: { ...body, reason: "other" } });
  }
}

/** The text of a post as the screen shows it. */
function getShownText(post: Post): string {
  return segmentRichText(post)
    .map(({ text }) => text)
    .join("");
}

/** Resolves all reports and takes every action against `target`, each with a payload as the note. */
export async function moderate(
  session: Session,
  target: Writer,
  written: readonly WrittenPayload[],
): Promise<void> {
  const path = { userId: target.id };
  const member = "/api/admin/members/{userId}";
  for (const [at, { by, text: note }] of written.entries()) {
    const sent = { body: { content: "It will be removed" } };
    const { id } = await requestJson<{ id: string }>(by.session, "POST /api/posts", sent);
    const body = { note, rule: note, message: note };
    await requestJson(session, "PUT /api/admin/posts/{id}/removal", { path: { id }, body });
    await objectToDecision(session, by, note);
    for (const measure of ["suspension", "invite-freeze"]) {
      await requestJson(session, `PUT ${member}/${measure}`, { path, body });
      await requestJson(session, `DELETE ${member}/${measure}`, { path });
    }
    const role = at % 2 === 0 ? "moderator" : "member";
    await requestJson(session, `PUT ${member}/role`, { path, body: { role, note } });
  }
  for (let at = 0; ; at += 1) {
    const query = { state: "open", limit: "1" };
    const [first] = await requestJson<{ id: string }[]>(session, "GET /api/admin/reports", {
      query,
    });
    if (!first) break;
    const note = written[at % written.length]?.text ?? "";
    const body = { action: "dismiss", note, rule: note, message: note };
    await requestJson(session, "POST /api/admin/reports/{id}/resolve", {
      path: { id: first.id },
      body,
    });
  }
}

/** Objects to the newest decision, and rejects the objection if the moderator may decide about it. */
async function objectToDecision(moderator: Session, by: Writer, text: string): Promise<void> {
  const [newest] = await requestJson<{ id: string }[]>(by.session, "GET /api/moderation-notices");
  const path = { id: newest?.id ?? "" };
  await requestJson(by.session, "POST /api/moderation-notices/{id}/objection", {
    path,
    body: { text },
  });
  const body = { action: "reject", answer: text };
  await sendRequest(moderator, "POST /api/admin/objections/{id}/resolve", { path, body });
}

/** The screens that show all saved texts to the founder, who follows all writers and is followed by them. */
export function getListSteps(written: readonly WrittenPayload[], root: string): Step[] {
  const names = written.map(({ name }) => name);
  const texts = written.map(({ text }) => normalizePost(text));
  const posts = written.map(({ post }) => post);
  const reasons = names.map((name) => `You follow ${name}`);
  return [
    {
      path: "/",
      shows: [...posts, ...names],
      labels: texts.map((text) => `Open the image: ${text}`),
    },
    { path: "/?tab=for-you", shows: [...posts, ...reasons] },
    { path: `/post/${root}`, shows: [...written.map(({ reply }) => reply), ...names] },
    { path: "/notifications", shows: [...written.map(({ fullReply }) => fullReply), ...names] },
    { path: "/profile/founder/followers", shows: [...names, ...texts] },
    { path: "/discover?q=writer_" },
    { path: "/discover" },
    { path: "/admin", shows: [...written.map(({ evidence }) => evidence), ...texts, ...names] },
    { path: "/admin?tab=members", shows: names },
  ];
}

/** The screens that show moderators' notes, and the founder's muted members. */
export function getDecisionSteps(written: readonly WrittenPayload[]): Step[] {
  const texts = written.map(({ text }) => normalizePost(text));
  return [
    { path: "/admin" },
    { press: "Resolved", shows: texts },
    { path: "/admin?tab=audit", shows: texts },
    { path: "/settings", shows: written.map(({ name }) => name) },
  ];
}

/** The pages of each writer and post, with a drafted reply. */
export function getPageSteps(written: readonly WrittenPayload[]): Step[] {
  return written.flatMap(({ by, name, text, postId, post }) => [
    {
      path: `/profile/${by.username}`,
      shows: [name, normalizePost(text), post],
      title: `${name} (@${by.username}) · Kith`,
    },
    {
      path: `/post/${postId}`,
      shows: [post, name],
      labels: [`Open the image: ${normalizePost(text)}`],
    },
    { press: "Write your reply", shows: [post], values: [text, name], labels: [text] },
    { press: "Close" },
  ]);
}

/** The drafts of replies for the browser's storage, by key. */
export function makeDrafts(me: string, written: readonly WrittenPayload[]): [string, string][] {
  const picture = { url: "/icon-192.png", width: 1, height: 1, srcset: "/icon-192.png 192w" };
  const image = { ...picture, alt: "", thumbhash: "1QcSHQRnh493V4dIh4eXh1h4kJUI" };
  return written.map(({ text, name, postId }) => {
    const images = [{ id: "1", alt: text, ready: { upload: "1", image } }];
    return [
      `kith:draft:${me}:${postId}`,
      JSON.stringify({ text, poll: [name, "Another"], images }),
    ];
  });
}
