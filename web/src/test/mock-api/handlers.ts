import { accountHandlers } from "./account-handlers";
import { authHandlers } from "./auth-handlers";
import { moderationHandlers } from "./moderation-handlers";
import { postHandlers } from "./post-handlers";
import { eventHandlers } from "./event-streams";
import { siteHandlers } from "./site-handlers";
import { errorBody, http } from "./typed-http";
import { userHandlers } from "./user-handlers";

/** The handlers of all mocked endpoints; other API requests fail with 404. */
export const handlers = [
  ...authHandlers,
  ...postHandlers,
  ...userHandlers,
  ...accountHandlers,
  ...moderationHandlers,
  ...siteHandlers,
  ...eventHandlers,
  http.untyped.all("/api/*", ({ request }) => {
    const { pathname } = new URL(request.url);
    const sentence = `The mock has no handler for ${request.method} ${pathname}.`;
    return Response.json(errorBody(sentence), { status: 404 });
  }),
];
