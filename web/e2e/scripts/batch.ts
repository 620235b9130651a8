import { expect } from "@playwright/test";
import type { Post } from "../../src/api/types";
import { normalizePost } from "../../src/lib/text/post-text";
import { segmentRichText } from "../../src/features/posts/segment-rich-text";
import type { Step } from "./look";
import { asLine } from "./payloads";
import { call, done, inTurns, type Person } from "./people";
import type { Session } from "./session";

/** Two scripts: one short enough for a name, and one for everything longer. */
export interface Words {
  name: string;
  text: string;
}

/** What somebody wrote with them, as it is to be shown. */
interface Written {
  by: Person;
  name: string;
  text: string;
  postId: string;
  /** The first post, with shortened addresses. */
  post: string;
  /** The reply that has the script as a mention, a hashtag and an address too. */
  reply: string;
  /** The same reply without shortened addresses. */
  said: string;
  /** What is said of the image. */
  alt: string;
  /** What moderators see of the post, with the link to its image behind it. */
  evidence: string;
}

/** Everybody writes in every field they have, under a post of the founder's; answers what was written. */
export function writeAll(
  people: readonly Person[],
  words: readonly Words[],
  root: string,
): Promise<Written[]> {
  return inTurns(words, 4, (one, at) => {
    const [by, other] = [people[at], people[(at + 1) % people.length]];
    if (!by || !other) throw new Error("There is nobody to write.");
    return write(by, other, root, one);
  });
}

async function write(by: Person, other: Person, root: string, words: Words): Promise<Written> {
  await introduce(by, words);
  const { text } = words;
  const name = asLine(words.name);
  const body = {
    content: text,
    pollOptions: [words.name, "Another"],
    imageUrls: [by.image],
    imageAlts: [text],
  };
  const post = await done<Post>(by.session, "POST /api/posts", { body });
  const content = `@founder ${text}\n#t${text} @${text}\nhttps://h.example/${text}`;
  const reply = await done<Post>(by.session, "POST /api/posts", {
    body: { content, replyToId: root },
  });
  expect(post.content).toBe(normalizePost(text));
  expect(reply.content).toBe(normalizePost(content));
  await answer(other.session, by, post.id, words);
  const said = reply.content;
  const alt = normalizePost(text);
  const evidence = `${post.content}\n• ${name}\n• Another\nImage: ${alt}`;
  const kept = { post: shown(post), reply: shown(reply), said, alt, evidence };
  return { by, name, text, postId: post.id, ...kept };
}

/** Name, bio and website; a script is no website, and inside of one it stays an address of the web. */
async function introduce(by: Person, { name, text }: Words): Promise<void> {
  for (const website of [text, `https://h.example/?${text}`]) {
    await call(by.session, "PUT /api/users/profile", { body: { website } });
    const me = await done<{ website: string }>(by.session, "GET /api/auth/me");
    expect(me.website).toMatch(/^(?:https?:\/\/[^/@]+\.[^/@]+\/\S*)?$/);
  }
  await done(by.session, "PUT /api/users/profile", { body: { displayName: name, bio: text } });
}

/** What another member makes of a post: a vote, a repost, and reports of it and of its author. */
async function answer(session: Session, by: Person, id: string, { name, text }: Words) {
  const path = { id };
  await done(session, "POST /api/posts/{id}/vote", { path, body: { option: asLine(name) } });
  await done(session, "POST /api/posts", { body: { repostOfId: id } });
  const about = [
    { postId: id, note: text },
    { userId: by.id, note: name },
  ];
  for (const body of about) {
    await done(session, "POST /api/reports", { body: { ...body, reason: "other" } });
  }
}

/** What is read of a post on the screen. */
function shown(post: Post): string {
  return segmentRichText(post)
    .map(({ text }) => text)
    .join("");
}

/** A moderator decides about all reports and does to `target` what can be done, each with a script as the reason. */
export async function moderate(
  session: Session,
  target: Person,
  written: readonly Written[],
): Promise<void> {
  const path = { userId: target.id };
  const member = "/api/admin/members/{userId}";
  for (const [at, { by, text: note }] of written.entries()) {
    const sent = { body: { content: "It will be removed" } };
    const { id } = await done<{ id: string }>(by.session, "POST /api/posts", sent);
    const body = { note, rule: note, message: note };
    await done(session, "PUT /api/admin/posts/{id}/removal", { path: { id }, body });
    await object(session, by, note);
    for (const measure of ["suspension", "invite-freeze"]) {
      await done(session, `PUT ${member}/${measure}`, { path, body });
      await done(session, `DELETE ${member}/${measure}`, { path });
    }
    const role = at % 2 === 0 ? "moderator" : "member";
    await done(session, `PUT ${member}/role`, { path, body: { role, note } });
  }
  for (let at = 0; ; at += 1) {
    const query = { state: "open", limit: "1" };
    const [first] = await done<{ id: string }[]>(session, "GET /api/admin/reports", { query });
    if (!first) break;
    const note = written[at % written.length]?.text ?? "";
    const body = { action: "dismiss", note, rule: note, message: note };
    await done(session, "POST /api/admin/reports/{id}/resolve", { path: { id: first.id }, body });
  }
}

/** The author objects to the newest decision, and gets an answer if the moderator may give one. */
async function object(moderator: Session, by: Person, text: string): Promise<void> {
  const [newest] = await done<{ id: string }[]>(by.session, "GET /api/moderation-notices");
  const path = { id: newest?.id ?? "" };
  await done(by.session, "POST /api/moderation-notices/{id}/objection", { path, body: { text } });
  const body = { action: "reject", answer: text };
  await call(moderator, "POST /api/admin/objections/{id}/resolve", { path, body });
}

/** Where all that was written is shown to the founder, who follows all and is followed by all. */
export function lists(written: readonly Written[], root: string): Step[] {
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
    { path: "/notifications", shows: [...written.map(({ said }) => said), ...names] },
    { path: "/profile/founder/followers", shows: [...names, ...texts] },
    { path: "/discover?q=writer_" },
    { path: "/discover" },
    { path: "/admin", shows: [...written.map(({ evidence }) => evidence), ...texts, ...names] },
    { path: "/admin?tab=members", shows: names },
  ];
}

/** Where a moderator's words are shown, and whom the founder muted. */
export function decisions(written: readonly Written[]): Step[] {
  const texts = written.map(({ text }) => normalizePost(text));
  return [
    { path: "/admin" },
    { press: "Resolved", shows: texts },
    { path: "/admin?tab=audit", shows: texts },
    { path: "/settings", shows: written.map(({ name }) => name) },
  ];
}

/** The pages of each author and post, and a reply to it that was begun earlier. */
export function pages(written: readonly Written[]): Step[] {
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

/** What the browser keeps of replies that were begun, by the name it is kept under. */
export function drafts(me: string, written: readonly Written[]): [string, string][] {
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
