import { makeViewer } from "./records";
import { network } from "./network";
import { errorBody, http } from "./typed-http";

const LOGGED_OUT = errorBody("You are logged out.");
const SECONDS_TO_NEXT_EMAIL = 60;

const linkRequested = { message: "Check your email.", nextMailInSeconds: SECONDS_TO_NEXT_EMAIL };

function logIn() {
  network.viewer ??= makeViewer();
  return { message: "You are logged in." };
}

/** Login, logout and sessions. The only code that works is the network's `loginCode`. */
export const authHandlers = [
  http.get("/api/auth/me", ({ response }) =>
    network.viewer ? response(200).json(network.viewer) : response(401).json(LOGGED_OUT),
  ),
  http.post("/api/auth/request-login-link", ({ response }) => response(200).json(linkRequested)),
  http.post("/api/auth/request-magic-link", ({ response }) => response(200).json(linkRequested)),
  http.get("/api/auth/verify", ({ response }) => response(200).json(logIn())),
  http.post("/api/auth/verify", ({ response }) => response(200).json(logIn())),
  http.post("/api/auth/verify-code", async ({ request, response }) => {
    const { code } = await request.json();
    if (code === network.loginCode) return response(200).json(logIn());
    return response(400).json(errorBody("That code is wrong. Check the newest email."));
  }),
  http.post("/api/auth/logout", ({ response }) => {
    network.viewer = null;
    return response(200).json({ message: "You are logged out." });
  }),
  http.get("/api/auth/sessions", ({ response }) => response(200).json(network.sessions)),
  http.delete("/api/auth/sessions", ({ response }) => {
    network.viewer = null;
    return response(204).empty();
  }),
  http.delete("/api/auth/sessions/{id}", ({ params, response }) => {
    network.sessions = network.sessions.filter(({ id }) => id !== params.id);
    return response(204).empty();
  }),
];
