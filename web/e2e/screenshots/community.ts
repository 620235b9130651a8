import { type APIRequestContext, type APIResponse, request } from "@playwright/test";
import type { Kith } from "../server";
import { landscape } from "./landscape";
import { people, type Person } from "./people";
import { posts, type DemoPost } from "./posts";

/** The session of each member by username. */
export type Members = ReadonlyMap<string, APIRequestContext>;

/** The number of posts between a post and its repost, so that the feed does not show it twice in a row. */
const REPOST_DELAY = 3;

/** Signs all members up, each by an invite of the member they name. */
export async function signUpAll(kith: Kith): Promise<Members> {
  const members = new Map<string, APIRequestContext>();
  for (const person of people) members.set(person.username, await join(kith, members, person));
  return members;
}

/** Creates the follows, posts, replies, likes, reposts and votes. */
export async function createContent(members: Members): Promise<void> {
  for (const { username, follows } of people) {
    for (const followed of follows) {
      await send(getSession(members, username), "follows", {
        followingId: await getUserId(members, followed),
      });
    }
  }
  await writeAll(members);
}

/** Signs up another member, who has no content. */
export async function signUpNewcomer(
  kith: Kith,
  members: Members,
  by: string,
): Promise<APIRequestContext> {
  return signUp(kith, await createInvite(members, by), `newcomer-${Date.now()}@kith.example`);
}

async function join(kith: Kith, members: Members, person: Person): Promise<APIRequestContext> {
  const { username, displayName, bio, website = "", invitedBy, hasImages } = person;
  const address = `${username}@kith.example`;
  const session =
    invitedBy === ""
      ? await verify(kith, kith.founderLink)
      : await signUp(kith, await createInvite(members, invitedBy), address);
  await expectOk(session.put("/api/users/username", { data: { username } }));
  await expectOk(session.put("/api/users/profile", { data: { displayName, bio, website } }));
  if (hasImages) await uploadProfileImages(session, members.size);
  return session;
}

/** Uploads a member's profile image and header. */
async function uploadProfileImages(session: APIRequestContext, number: number): Promise<void> {
  const picture = await upload(session, number, 480, 480);
  await expectOk(session.put("/api/profile-images", { data: { imageURL: picture } }));
  const header = await upload(session, number + 1, 1_200, 400);
  await expectOk(session.put("/api/header-images", { data: { imageURL: header } }));
}

/** Uploads an image, and returns its URL. */
async function upload(session: APIRequestContext, number: number, width: number, height: number) {
  const { buffer, mimeType } = landscape(number, width, height);
  const body = { size: buffer.length, type: mimeType };
  const target = await send<{ uploadURL: string; headers: Record<string, string> }>(
    session,
    "objects/upload",
    body,
  );
  const headers = { "content-type": mimeType, ...target.headers };
  await expectOk(session.put(target.uploadURL, { headers, data: buffer }));
  return target.uploadURL;
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
  await expectOk(session.get(`/api/auth/verify${new URL(link).search}`));
  return session;
}

async function createInvite(members: Members, by: string): Promise<string> {
  const { code } = await send<{ code: string }>(getSession(members, by), "invites");
  return code;
}

/** Writes the posts and, `REPOST_DELAY` posts later, their reposts. */
async function writeAll(members: Members): Promise<void> {
  const ids: string[] = [];
  for (const [index, post] of posts.entries()) {
    ids.push(await write(members, post));
    const earlier = index - REPOST_DELAY;
    for (const fan of posts[earlier]?.reposts ?? []) {
      await send(getSession(members, fan), "posts", { repostOfId: ids[earlier] });
    }
  }
}

async function write(members: Members, post: DemoPost, replyToId = ""): Promise<string> {
  const { by, text, images = [], poll = [], votes = [], likes = [], replies = [] } = post;
  const imageUrls: string[] = [];
  for (const at of images.keys()) {
    // Aspect ratios differ, as those of photos do.
    const [width, height] = images.length === 3 && at === 0 ? [800, 1_000] : [1_200, 800];
    imageUrls.push(await upload(getSession(members, by), at + images.length, width, height));
  }
  const body = { content: text, imageUrls, imageAlts: images, pollOptions: poll, replyToId };
  const { id } = await send<{ id: string }>(getSession(members, by), "posts", body);
  for (const liker of likes) await send(getSession(members, liker), `posts/${id}/like`);
  for (const [voter, option] of votes) {
    await send(getSession(members, voter), `posts/${id}/vote`, { option: poll[option] });
  }
  for (const reply of replies) await write(members, reply, id);
  return id;
}

async function getUserId(members: Members, username: string): Promise<string> {
  const response = await expectOk(getSession(members, username).get("/api/auth/me"));
  return ((await response.json()) as { id: string }).id;
}

function getSession(members: Members, username: string): APIRequestContext {
  const session = members.get(username);
  if (!session) throw new Error(`There is no member ${username}.`);
  return session;
}

async function send<T = unknown>(
  session: APIRequestContext,
  path: string,
  data?: object,
): Promise<T> {
  const response = await expectOk(session.post(`/api/${path}`, data && { data }));
  return response.json() as Promise<T>;
}

async function expectOk(pending: Promise<APIResponse>): Promise<APIResponse> {
  const response = await pending;
  if (!response.ok()) {
    throw new Error(`${response.url()}: ${response.status()} ${await response.text()}`);
  }
  return response;
}
