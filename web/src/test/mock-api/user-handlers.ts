import type { User } from "@/api/types";
import { findUser, findUserById, getViewer, network } from "./network";
import { errorBody, http, NOT_FOUND, paginate } from "./typed-http";

function updateUser(id: unknown, values: Partial<User>): User | undefined {
  const user = findUserById(id);
  return user && Object.assign(user, values);
}

function setMuted(id: unknown, isMuted: boolean) {
  for (const post of network.posts.filter(({ author }) => author.id === id)) post.isMuted = isMuted;
  return updateUser(id, { isMuted });
}

function setBlocked(id: unknown, isBlocked: boolean) {
  for (const post of network.posts.filter(({ author }) => author.id === id))
    post.isHidden = isBlocked;
  return updateUser(id, { isBlocked, ...(isBlocked && { isFollowing: false, followsYou: false }) });
}

const followHandlers = [
  http.get("/api/follows/{userId}/status", ({ params, response }) => {
    const user = findUserById(params.userId);
    if (!user) return response(404).json(NOT_FOUND);
    return response(200).json({ isFollowing: user.isFollowing });
  }),
  http.post("/api/follows", async ({ request, response }) => {
    const { followingId } = await request.json();
    if (!updateUser(followingId, { isFollowing: true })) return response(404).json(NOT_FOUND);
    return response(200).json({ isFollowing: true });
  }),
  http.delete("/api/follows/{userId}", ({ params, response }) => {
    if (!updateUser(params.userId, { isFollowing: false })) return response(404).json(NOT_FOUND);
    return response(200).json({ isFollowing: false });
  }),
];

const safetyHandlers = [
  http.get("/api/mutes", (info) =>
    info.response(200).json(
      ...paginate(
        info,
        network.users.filter(({ isMuted }) => isMuted),
      ),
    ),
  ),
  http.post("/api/mutes/{userId}", ({ params, response }) =>
    setMuted(params.userId, true)
      ? response(200).json({ isMuted: true })
      : response(404).json(NOT_FOUND),
  ),
  http.delete("/api/mutes/{userId}", ({ params, response }) =>
    setMuted(params.userId, false)
      ? response(200).json({ isMuted: false })
      : response(404).json(NOT_FOUND),
  ),
  http.get("/api/blocks", (info) =>
    info.response(200).json(
      ...paginate(
        info,
        network.users.filter(({ isBlocked }) => isBlocked),
      ),
    ),
  ),
  http.post("/api/blocks/{userId}", ({ params, response }) =>
    setBlocked(params.userId, true)
      ? response(200).json({ isBlocked: true })
      : response(404).json(NOT_FOUND),
  ),
  http.delete("/api/blocks/{userId}", ({ params, response }) =>
    setBlocked(params.userId, false)
      ? response(200).json({ isBlocked: false })
      : response(404).json(NOT_FOUND),
  ),
];

const profileHandlers = [
  http.put("/api/users/profile", async ({ request, response }) => {
    const { displayName, bio, website } = await request.json();
    const viewer = getViewer();
    if (website && !/^https?:\/\//.test(website)) {
      const sentence = "Please enter a web address like https://example.org.";
      return response(400).json(errorBody(sentence, { website: sentence }));
    }
    viewer.displayName = displayName ?? viewer.displayName;
    viewer.bio = bio ?? viewer.bio;
    viewer.website = website ?? viewer.website;
    return response(200).json(viewer);
  }),
  http.get("/api/users/username-available", ({ query, response }) => {
    const isTaken = findUser(query.get("u")) !== undefined;
    const message = isTaken ? "This username is taken." : null;
    return response(200).json({ available: !isTaken, message });
  }),
  http.put("/api/users/username", async ({ request, response }) => {
    const { username } = await request.json();
    if (findUser(username)) return response(409).json(errorBody("This username is taken."));
    const viewer = Object.assign(getViewer(), { username, usernameIsProvisional: false });
    return response(200).json(viewer);
  }),
  http.delete("/api/profile-images", ({ response }) =>
    response(200).json(Object.assign(getViewer(), { profileImageUrl: null })),
  ),
  http.delete("/api/header-images", ({ response }) =>
    response(200).json(Object.assign(getViewer(), { headerImageUrl: null })),
  ),
];

/** Members, follows, mutes, blocks and the viewer's profile. */
export const userHandlers = [
  ...followHandlers,
  ...safetyHandlers,
  // Before `/api/users/{username}`, which matches them too.
  ...profileHandlers,
  http.get("/api/users/search", ({ query, response }) => {
    const term = String(query.get("q")).toLowerCase();
    return response(200).json(
      network.users.filter(({ username, displayName }) =>
        `${username} ${displayName}`.toLowerCase().includes(term),
      ),
    );
  }),
  http.get("/api/users/suggested", ({ response }) => {
    const reason = { code: "new", message: "New on this network", name: null, others: null };
    const suggested = network.users.filter(
      ({ isFollowing, isBlocked }) => !isFollowing && !isBlocked,
    );
    return response(200).json(suggested.map((user) => Object.assign({ reason }, user)));
  }),
  http.get("/api/users/{username}", ({ params, response }) => {
    const user = findUser(params.username);
    return user ? response(200).json(user) : response(404).json(NOT_FOUND);
  }),
  http.get("/api/users/{username}/followers", (info) =>
    info.response(200).json(
      ...paginate(
        info,
        network.users.filter(({ followsYou }) => followsYou),
      ),
    ),
  ),
  http.get("/api/users/{username}/following", (info) =>
    info.response(200).json(
      ...paginate(
        info,
        network.users.filter(({ isFollowing }) => isFollowing),
      ),
    ),
  ),
];
