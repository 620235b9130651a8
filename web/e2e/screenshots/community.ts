import { type APIRequestContext, request } from "@playwright/test";
import type { Kith } from "../server";
import { landscape } from "./landscape";
import { people, type Person } from "./people";
import { words, type Words } from "./words";

/** Everybody who joined, each with a session of their own. */
export type Members = ReadonlyMap<string, APIRequestContext>;

/** How many posts after it a post is passed on. */
const LATER = 3;

/** Lets everybody in, each by the code of the member who knows them. */
export async function letAllIn(kith: Kith): Promise<Members> {
  const members = new Map<string, APIRequestContext>();
  for (const person of people) members.set(person.username, await join(kith, members, person));
  return members;
}

/** Has everybody follow, write, answer, like, repost and vote. */
export async function liveTogether(members: Members): Promise<void> {
  for (const { username, follows } of people) {
    for (const followed of follows) {
      await send(of(members, username), "follows", { followingId: await idOf(members, followed) });
    }
  }
  await writeAll(members);
}

/** Lets one more person in, who has done nothing yet. */
export async function letIn(kith: Kith, members: Members, by: string): Promise<APIRequestContext> {
  return signUp(kith, await newCode(members, by), `newcomer-${Date.now()}@kith.example`);
}

async function join(kith: Kith, members: Members, person: Person): Promise<APIRequestContext> {
  const { username, displayName, bio, website = "", invitedBy, hasImages } = person;
  const address = `${username}@kith.example`;
  const session =
    invitedBy === ""
      ? await verify(kith, kith.founderLink)
      : await signUp(kith, await newCode(members, invitedBy), address);
  await checked(session.put("/api/users/username", { data: { username } }));
  await checked(session.put("/api/users/profile", { data: { displayName, bio, website } }));
  if (hasImages) await show(session, members.size);
  return session;
}

/** Gives a member a picture and a header. */
async function show(session: APIRequestContext, number: number): Promise<void> {
  const picture = await upload(session, number, 480, 480);
  await checked(session.put("/api/profile-images", { data: { imageURL: picture } }));
  const header = await upload(session, number + 1, 1_200, 400);
  await checked(session.put("/api/header-images", { data: { imageURL: header } }));
}

/** Sends an image and answers its address. */
async function upload(session: APIRequestContext, number: number, width: number, height: number) {
  const { buffer, mimeType } = landscape(number, width, height);
  const asked = { size: buffer.length, type: mimeType };
  const place = await send<{ uploadURL: string; headers: Record<string, string> }>(
    session,
    "objects/upload",
    asked,
  );
  const headers = { "content-type": mimeType, ...place.headers };
  await checked(session.put(place.uploadURL, { headers, data: buffer }));
  return place.uploadURL;
}

async function signUp(kith: Kith, inviteCode: string, email: string): Promise<APIRequestContext> {
  const session = await request.newContext({ baseURL: kith.url });
  await send(session, "auth/request-magic-link", { email, inviteCode });
  return verify(kith, await kith.mailedLink(email), session);
}

async function verify(
  kith: Kith,
  link: string,
  before?: APIRequestContext,
): Promise<APIRequestContext> {
  const session = before ?? (await request.newContext({ baseURL: kith.url }));
  await checked(session.get(`/api/auth/verify${new URL(link).search}`));
  return session;
}

async function newCode(members: Members, by: string): Promise<string> {
  const { code } = await send<{ code: string }>(of(members, by), "invites");
  return code;
}

/** Writes the posts; each is passed on some posts later, so that it does not stand there twice. */
async function writeAll(members: Members): Promise<void> {
  const ids: string[] = [];
  for (const [index, post] of words.entries()) {
    ids.push(await write(members, post));
    const earlier = index - LATER;
    for (const fan of words[earlier]?.reposts ?? []) {
      await send(of(members, fan), "posts", { repostOfId: ids[earlier] });
    }
  }
}

async function write(members: Members, post: Words, replyToId = ""): Promise<string> {
  const { by, text, images = [], poll = [], votes = [], likes = [], replies = [] } = post;
  const imageUrls: string[] = [];
  for (const at of images.keys()) {
    // Of unequal shapes, as photographs are.
    const [width, height] = images.length === 3 && at === 0 ? [800, 1_000] : [1_200, 800];
    imageUrls.push(await upload(of(members, by), at + images.length, width, height));
  }
  const body = { content: text, imageUrls, imageAlts: images, pollOptions: poll, replyToId };
  const { id } = await send<{ id: string }>(of(members, by), "posts", body);
  for (const liker of likes) await send(of(members, liker), `posts/${id}/like`);
  for (const [voter, option] of votes) {
    await send(of(members, voter), `posts/${id}/vote`, { option: poll[option] });
  }
  for (const reply of replies) await write(members, reply, id);
  return id;
}

async function idOf(members: Members, username: string): Promise<string> {
  const answer = await checked(of(members, username).get("/api/auth/me"));
  return ((await answer.json()) as { id: string }).id;
}

function of(members: Members, username: string): APIRequestContext {
  const session = members.get(username);
  if (!session) throw new Error(`Nobody is called ${username}.`);
  return session;
}

async function send<T = unknown>(
  session: APIRequestContext,
  address: string,
  data?: object,
): Promise<T> {
  const answer = await checked(session.post(`/api/${address}`, data && { data }));
  return answer.json() as Promise<T>;
}

type Answer = Awaited<ReturnType<APIRequestContext["get"]>>;

async function checked(asked: Promise<Answer>): Promise<Answer> {
  const answer = await asked;
  if (!answer.ok()) {
    throw new Error(`${answer.url()} answered ${answer.status()}: ${await answer.text()}`);
  }
  return answer;
}
