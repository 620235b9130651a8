import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { callForMember, forgetCalls, MemberForgotten } from "./member-calls";

const answers = vi.fn<() => Promise<Response>>();
/** A promise, and how it is kept. */
function later<T>() {
  const ways: { keep?: (value: T) => void } = {};
  const kept = new Promise<T>((resolve) => (ways.keep = resolve));
  return { kept, keep: (value: T) => ways.keep?.(value) };
}
const ask = (path: string) => callForMember(new Request(`https://kith.example${path}`));

beforeEach(() => vi.stubGlobal("fetch", answers));
afterEach(() => vi.unstubAllGlobals());

it("answers whoever is still here", async () => {
  answers.mockResolvedValue(new Response("mine"));
  expect(await (await ask("/api/users/profile")).text()).toBe("mine");
});

// proves: logout-answers
it.each([
  ["an answer", () => Promise.resolve(new Response())],
  ["a failure", () => Promise.reject(new TypeError("offline"))],
])("tells nobody of %s that comes after the member is forgotten", async (_, settle) => {
  const gate = later<void>();
  answers.mockImplementation(() => gate.kept.then(settle));
  const asked = ask("/api/profile-images");
  forgetCalls();
  gate.keep();
  await expect(asked).rejects.toBeInstanceOf(MemberForgotten);
  // Whoever comes next is answered.
  answers.mockResolvedValue(new Response("next"));
  expect(await (await ask("/api/auth/me")).text()).toBe("next");
});

it("answers without a body as browsers do", async () => {
  const empty = Object.defineProperty(new Response(null, { status: 204 }), "body", {
    value: new ReadableStream(),
  });
  answers.mockResolvedValue(empty);
  const answer = await ask("/api/account/deletion");
  expect([answer.status, await answer.text()]).toEqual([204, ""]);
});

// proves: logout-answers
it("gives nobody the rest of an answer that had begun", async () => {
  const rest = new TransformStream<Uint8Array, Uint8Array>();
  answers.mockResolvedValue(new Response(rest.readable));
  const asked = ask("/api/posts/feed");
  const end = rest.writable.getWriter();
  await new Promise((resolve) => setTimeout(resolve));
  forgetCalls();
  await end.close();
  await expect(asked).rejects.toBeInstanceOf(MemberForgotten);
});

it("hears how the logout went", async () => {
  const gate = later<Response>();
  answers.mockReturnValue(gate.kept);
  const asked = ask("/api/auth/logout");
  forgetCalls();
  gate.keep(new Response(null, { status: 204 }));
  expect((await asked).status).toBe(204);
});
