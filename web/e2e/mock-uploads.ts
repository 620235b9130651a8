import type { Page, Route } from "@playwright/test";
import type { PostImage } from "../src/api/types";

/** An image of a mocked post or upload. */
export function makeImage(more: Partial<PostImage> = {}): PostImage {
  return {
    url: "/icon-512.png",
    width: 512,
    height: 512,
    alt: "",
    thumbhash: "1QcSHQRnh493V4dIh4eXh1h4kJUI",
    srcset: "/icon-192.png 192w, /icon-512.png 512w",
    ...more,
  };
}

/** The upload requests of the page in order: `requestUrl`, `send`, `prepare` and `cancel`. */
export type Calls = string[];

type Handlers = Partial<
  Record<"requestUrl" | "send" | "prepare" | "cancel", (route: Route) => unknown>
>;

/** Mocks the upload endpoints; `handlers` replace single responses. */
export async function mockUploads(page: Page, handlers: Handlers = {}): Promise<Calls> {
  const calls: Calls = [];
  let given = 0;
  await page.route("**/api/objects/**", async (route) => {
    const request = route.request();
    const { origin, pathname } = new URL(request.url());
    const call = getCallName(request.method(), pathname);
    calls.push(call);
    const own = handlers[call];
    if (own) return void (await own(route));
    if (call === "requestUrl") {
      given += 1;
      const name = String(given).padStart(32, "0");
      const uploadURL = `${origin}/api/objects/${name}?signature=s${given}`;
      return route.fulfill({ json: { uploadURL, headers: { "x-invented": "yes" } } });
    }
    if (call === "prepare") return route.fulfill({ json: { image: makeImage() } });
    return route.fulfill({ status: call === "send" ? 200 : 204, body: "" });
  });
  return calls;
}

function getCallName(method: string, path: string): keyof Required<Handlers> {
  if (method === "PUT") return "send";
  if (path.endsWith("/upload")) return "requestUrl";
  return path.endsWith("/prepare") ? "prepare" : "cancel";
}
