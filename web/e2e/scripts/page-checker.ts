// Runs in a page before its own scripts; `screen.ts` compiles it to JavaScript.
import type { Step } from "./page-checker-types";

const TIMEOUT_MS = 20_000;
/** Milliseconds until the app renders another screen. */
const RENDER_MS = 30;
/** Milliseconds without changes after which a screen is complete. */
const SETTLE_MS = 60;
const foreignElements =
  "script:not([src]):not(#site[type='application/json']), iframe, frame, frameset, object, embed, applet, base, style, math, template, marquee, " +
  "foreignObject, animate, set, use, xmp, plaintext, form[action], [formaction], [srcdoc], meta[http-equiv], [ping]";
const addresses = new Set([
  "href",
  "xlink:href",
  "src",
  "srcset",
  "poster",
  "data",
  "background",
  "action",
]);
const pause = (time: number) => new Promise((resolve) => setTimeout(resolve, time));

let pendingRequests = 0;
let changed = 0;
new MutationObserver(() => (changed = Date.now())).observe(document, {
  subtree: true,
  childList: true,
  attributes: true,
  characterData: true,
});
let mockedError: object | null = null;
const own = window.fetch.bind(window);
window.fetch = async (...call) => {
  if (mockedError && call[0] instanceof Request && call[0].method !== "GET") {
    return Response.json(mockedError, { status: 422 });
  }
  pendingRequests += 1;
  try {
    return await own(...call);
  } finally {
    pendingRequests -= 1;
  }
};

/** Finds elements, event handlers and URLs that the app never creates. */
function findForeign(): string[] {
  const found = [...document.querySelectorAll(foreignElements)].map((one) => one.outerHTML);
  for (const element of document.querySelectorAll("*")) {
    for (const { name, value } of element.attributes) {
      const isWrong = addresses.has(name)
        ? value.split(", ").some((address) => !isExpectedUrl(element, address.split(" ")[0] ?? ""))
        : name.startsWith("on");
      if (isWrong) found.push(`${name}=${value} of ${element.outerHTML}`);
    }
  }
  return found.map((one) => `${location.href} holds ${one.slice(0, 300)}`);
}

function isExpectedUrl(element: Element, address: string): boolean {
  const { protocol, origin, pathname } = new URL(address, location.href);
  if (element instanceof HTMLAnchorElement) return /^https?:$/.test(protocol);
  if (element.matches("[rel=modulepreload]") && !pathname.startsWith("/assets/")) return false;
  return origin === location.origin;
}

const fields = () =>
  [...document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>("input, textarea")].filter(
    (field) => !/^(?:radio|checkbox|file)$/.test(field.type) && field.checkVisibility(),
  );

function findMissing({ shows = [], labels = [], values = [], title }: Step): string[] {
  const all = [...document.querySelectorAll("body *")];
  const texts = new Set(all.map(({ textContent }) => textContent));
  const names = new Set(
    all.flatMap((one) => [one.getAttribute("aria-label"), one.getAttribute("alt")]),
  );
  const typed = new Set(fields().map(({ value }) => value));
  return [
    ...shows.filter((text) => !texts.has(text)),
    ...labels.filter((text) => !names.has(text)),
    ...values.filter((text) => !typed.has(text)),
    ...(title === undefined || document.title.endsWith(toTitleText(title)) ? [] : [title]),
  ];
}

/** A title as browsers return it: without line breaks and control characters. */
function toTitleText(text: string): string {
  return document.implementation.createHTMLDocument(text).title;
}

function button(words: string): HTMLElement | undefined {
  const all = [...document.querySelectorAll<HTMLElement>("button, [role=tab]")];
  return all.find(
    (one) => one.textContent?.endsWith(words) || one.getAttribute("aria-label") === words,
  );
}

/** Polls until `find` returns a value. Polls take at most half of the time, so that the app can work. */
async function until<T>(find: () => T | null | undefined | false): Promise<T | null> {
  const end = Date.now() + TIMEOUT_MS;
  for (;;) {
    const begun = performance.now();
    const found = find();
    if (found) return found;
    if (Date.now() > end) return null;
    await pause(Math.max(10, performance.now() - begun));
  }
}

/** Whether the history has left the entries of closed overlays, which would otherwise also leave a new page. */
function isSettled(): boolean {
  const { overlays = 0 } = (history.state ?? {}) as { overlays?: number };
  return overlays === 0 || document.querySelector("[role=dialog], [role=menu]") !== null;
}

async function openStep(step: Step): Promise<string[]> {
  if (step.path !== undefined) {
    if (!(await until(isSettled))) return [`${location.href} keeps entries of closed overlays`];
    history.pushState(null, "", step.path);
  }
  if (step.press !== undefined) {
    await pause(step.path === undefined ? 0 : RENDER_MS);
    (await until(() => button(step.press ?? "")))?.click();
  }
  // The previous screen must be gone by then.
  await pause(RENDER_MS);
  await until(() => {
    if (pendingRequests > 0 || Date.now() - changed < SETTLE_MS) return false;
    const left = findMissing(step);
    if (left.length > 0) (button("Load more") ?? button("Load more posts"))?.click();
    return left.length === 0;
  });
  const left = findMissing(step).map((text) => `${location.href} lacks ${JSON.stringify(text)}`);
  return [...left, ...findForeign()];
}

function fill(field: HTMLInputElement | HTMLTextAreaElement, text: string): void {
  const kind = field instanceof HTMLTextAreaElement ? HTMLTextAreaElement : HTMLInputElement;
  Object.getOwnPropertyDescriptor(kind.prototype, "value")?.set?.call(field, text);
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

async function send(label: string, text: string): Promise<void> {
  const name = await until(() =>
    [...document.querySelectorAll("label")].find((one) => one.textContent === label),
  );
  const field = name && document.getElementById(name.htmlFor);
  if (!(field instanceof HTMLInputElement)) throw new Error(`There is no field ${label}.`);
  fill(field, text);
  await pause(0);
  field.form?.requestSubmit();
}

function openDescription(): Element | null {
  return document.querySelector("[aria-label='Description of the image']");
}

async function readDescription(one: HTMLElement): Promise<string> {
  // A script's click does not focus, and the focus would have no element to return to.
  one.focus();
  one.click();
  const text = (await until(openDescription))?.textContent ?? "";
  one.click();
  // The focus returns a moment later, which would close the next description.
  const isClosed = await until(() => !openDescription() && document.activeElement === one);
  return isClosed ? text : "";
}

window.pageChecker = {
  async visit(steps) {
    for (const step of steps) {
      const wrong = await openStep(step);
      if (wrong.length > 0) return [...wrong, `at ${JSON.stringify(step)}`];
    }
    return [];
  },
  async descriptions(expected) {
    const badges = "button[aria-label^='ALT, read']";
    const texts = new Set<string>();
    for (const badge of document.querySelectorAll<HTMLElement>(badges)) {
      texts.add(await readDescription(badge));
    }
    const lost = expected.filter((text) => !texts.has(text));
    return [...lost.map((text) => `no image says ${JSON.stringify(text)}`), ...findForeign()];
  },
  async type(texts, count) {
    await until(() => fields().length >= count && pendingRequests === 0);
    const wrong = fields().length < count ? [`${location.href}: fewer than ${count} fields`] : [];
    for (const text of texts) {
      for (const field of fields()) fill(field, text);
      const findLost = () =>
        fields().filter((field) => field instanceof HTMLTextAreaElement && field.value !== text);
      await pause(0);
      await until(() => findLost().length === 0);
      const lost = findLost();
      wrong.push(...lost.map(() => `${location.href}: not as typed: ${text}`), ...findForeign());
    }
    return wrong;
  },
  async send(label, texts, then) {
    const wrong: string[] = [];
    for (const text of texts) {
      await send(label, text);
      wrong.push(...(await openStep({ shows: [text] })));
      if (then !== undefined) button(then)?.click();
    }
    return wrong;
  },
  async reject(label, texts) {
    const wrong: string[] = [];
    for (const message of texts) {
      for (const inField of [{}, { fields: { email: message } }]) {
        mockedError = { code: "invented", message, ...inField };
        await send(label, "friend@example.org");
        wrong.push(...(await openStep({ shows: [message] })));
      }
    }
    mockedError = null;
    return wrong;
  },
};
