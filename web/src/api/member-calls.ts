import { call } from "./early";

/** Ends the session itself, and must hear how that went. */
const LOGOUT = "/api/auth/logout";

/** What has no body by its status: no content, and nothing to change. */
const BODILESS = new Set([204, 205, 304]);

/** How many members this tab has forgotten. */
let forgotten = 0;

/** A call's answer came after its member had logged out here: it is nobody's, and nobody is told. */
export class MemberForgotten extends Error {}

/** From now on what was asked before is answered to nobody, whoever is logged in by then. */
export function forgetCalls(): void {
  forgotten += 1;
}

/** Calls the server for the member of this moment. */
export async function callForMember(request: Request): Promise<Response> {
  const begun = forgotten;
  const isOver = () => begun !== forgotten && new URL(request.url).pathname !== LOGOUT;
  try {
    const response = await call(request);
    const { status, statusText, headers } = response;
    // To its end: who has left meanwhile is not to get the rest either.
    const whole = await response.arrayBuffer();
    // Browsers give an answer of these an empty body, and let none be made with one.
    const body = BODILESS.has(status) ? null : whole;
    if (!isOver()) return new Response(body, { status, statusText, headers });
  } catch (error) {
    if (!isOver()) throw error;
  }
  throw new MemberForgotten();
}
