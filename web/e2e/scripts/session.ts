import type { BrowserContextOptions } from "@playwright/test";

/** A response with its whole body. */
export interface ApiResponse {
  status: number;
  ok: boolean;
  headers: Headers;
  body: Buffer;
}

/** A request. */
export interface Request {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
}

/**
 * An HTTP client with cookies. Playwright's client records each request and becomes slower: after
 * about ten thousand it sends three per second.
 */
export class Session {
  readonly #base: string;
  readonly #cookies = new Map<string, string>();

  constructor(base: string) {
    this.#base = base;
  }

  async fetch(url: string, { method = "GET", headers = {}, body }: Request): Promise<ApiResponse> {
    const cookies = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(new URL(url, this.#base), {
      method,
      headers: { ...headers, ...(cookies && { cookie: cookies }) },
      ...(body !== undefined && { body: body as BodyInit }),
      redirect: "manual",
    });
    for (const line of response.headers.getSetCookie()) this.#keep(line);
    const { status, ok, headers: answered } = response;
    return { status, ok, headers: answered, body: Buffer.from(await response.arrayBuffer()) };
  }

  #keep(line: string): void {
    const [pair = ""] = line.split(";");
    const at = pair.indexOf("=");
    const [name, value] = [pair.slice(0, at), pair.slice(at + 1)];
    if (value === "") this.#cookies.delete(name);
    else this.#cookies.set(name, value);
  }

  /** The session for a browser context. */
  state(): Exclude<BrowserContextOptions["storageState"], string | undefined> {
    const { hostname: domain } = new URL(this.#base);
    const cookies = [...this.#cookies].map(([name, value]) => ({
      name,
      value,
      domain,
      path: "/",
      expires: -1,
      httpOnly: true,
      secure: false,
      sameSite: "Lax" as const,
    }));
    return { cookies, origins: [] };
  }
}
