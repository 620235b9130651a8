// Runs in a page before anything else there, as a script of its own: `screen.ts` takes the types out of it.
import type { Step } from "./look";

const PATIENCE = 20_000;
/** How long the app takes to begin with another screen. */
const TURN = 30;
/** For how long nothing changes on a screen that is there. */
const QUIET = 60;
const strangers =
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

let asked = 0;
let changed = 0;
new MutationObserver(() => (changed = Date.now())).observe(document, {
  subtree: true,
  childList: true,
  attributes: true,
  characterData: true,
});
let refusal: object | null = null;
const own = window.fetch.bind(window);
window.fetch = async (...call) => {
  if (refusal && call[0] instanceof Request && call[0].method !== "GET") {
    return Response.json(refusal, { status: 422 });
  }
  asked += 1;
  try {
    return await own(...call);
  } finally {
    asked -= 1;
  }
};

/** Whatever the app does not make: elements, handlers, addresses of other kinds. */
function foreign(): string[] {
  const found = [...document.querySelectorAll(strangers)].map((one) => one.outerHTML);
  for (const element of document.querySelectorAll("*")) {
    for (const { name, value } of element.attributes) {
      const isWrong = addresses.has(name)
        ? value.split(", ").some((address) => !isFine(element, address.split(" ")[0] ?? ""))
        : name.startsWith("on");
      if (isWrong) found.push(`${name}=${value} of ${element.outerHTML}`);
    }
  }
  return found.map((one) => `${location.href} holds ${one.slice(0, 300)}`);
}

function isFine(element: Element, address: string): boolean {
  const { protocol, origin, pathname } = new URL(address, location.href);
  if (element instanceof HTMLAnchorElement) return /^https?:$/.test(protocol);
  if (element.matches("[rel=modulepreload]") && !pathname.startsWith("/assets/")) return false;
  return origin === location.origin;
}

const fields = () =>
  [...document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>("input, textarea")].filter(
    (field) => !/^(?:radio|checkbox|file)$/.test(field.type) && field.checkVisibility(),
  );

function missing({ shows = [], labels = [], values = [], title }: Step): string[] {
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
    ...(title === undefined || document.title.endsWith(asTitle(title)) ? [] : [title]),
  ];
}

/** A title as the browser gives it back: without line breaks and other characters that steer. */
function asTitle(text: string): string {
  return document.implementation.createHTMLDocument(text).title;
}

function button(words: string): HTMLElement | undefined {
  const all = [...document.querySelectorAll<HTMLElement>("button, [role=tab]")];
  return all.find(
    (one) => one.textContent?.endsWith(words) || one.getAttribute("aria-label") === words,
  );
}

/** Looks again and again. Where a look costs much, the page gets on for longer before the next. */
async function until<T>(look: () => T | null | undefined | false): Promise<T | null> {
  const end = Date.now() + PATIENCE;
  for (;;) {
    const begun = performance.now();
    const found = look();
    if (found) return found;
    if (Date.now() > end) return null;
    await pause(Math.max(10, 9 * (performance.now() - begun)));
  }
}

/** Whether the history has left the entries of what was closed: that would leave a new page, too. */
function isSettled(): boolean {
  const { overlays = 0 } = (history.state ?? {}) as { overlays?: number };
  return overlays === 0 || document.querySelector("[role=dialog], [role=menu]") !== null;
}

async function see(step: Step): Promise<string[]> {
  if (step.path !== undefined) {
    await until(isSettled);
    history.pushState(null, "", step.path);
  }
  if (step.press !== undefined) {
    await pause(step.path === undefined ? 0 : TURN);
    (await until(() => button(step.press ?? "")))?.click();
  }
  // What was there before must be gone by then.
  await pause(TURN);
  await until(() => {
    if (asked > 0 || Date.now() - changed < QUIET) return false;
    const left = missing(step);
    if (left.length > 0) (button("Load more") ?? button("Load more posts"))?.click();
    return left.length === 0;
  });
  const left = missing(step).map((text) => `${location.href} lacks ${JSON.stringify(text)}`);
  return [...left, ...foreign()];
}

function put(field: HTMLInputElement | HTMLTextAreaElement, text: string): void {
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
  put(field, text);
  await pause(0);
  field.form?.requestSubmit();
}

function openDescription(): Element | null {
  return document.querySelector("[aria-label='Description of the image']");
}

async function describe(one: HTMLElement): Promise<string> {
  one.click();
  const text = (await until(openDescription))?.textContent ?? "";
  one.click();
  // The focus comes back a moment later; it would close what is opened before.
  await until(() => !openDescription() && document.activeElement === one);
  return text;
}

window.looker = {
  async visit(steps) {
    for (const step of steps) {
      const wrong = await see(step);
      if (wrong.length > 0) return [...wrong, `at ${JSON.stringify(step)}`];
    }
    return [];
  },
  async descriptions(expected) {
    const badges = "button[aria-label^='ALT, read']";
    const texts = new Set<string>();
    for (const badge of document.querySelectorAll<HTMLElement>(badges)) {
      texts.add(await describe(badge));
    }
    const lost = expected.filter((text) => !texts.has(text));
    return [...lost.map((text) => `no image says ${JSON.stringify(text)}`), ...foreign()];
  },
  async type(texts, count) {
    await until(() => fields().length >= count && asked === 0);
    const wrong = fields().length < count ? [`${location.href}: fewer than ${count} fields`] : [];
    for (const text of texts) {
      for (const field of fields()) put(field, text);
      await pause(0);
      const areas = fields().filter((field) => field instanceof HTMLTextAreaElement);
      const lost = areas.filter(({ value }) => value !== text);
      wrong.push(...lost.map(() => `${location.href}: not as typed: ${text}`), ...foreign());
    }
    return wrong;
  },
  async send(label, texts, then) {
    const wrong: string[] = [];
    for (const text of texts) {
      await send(label, text);
      wrong.push(...(await see({ shows: [text] })));
      if (then !== undefined) button(then)?.click();
    }
    return wrong;
  },
  async refuse(label, texts) {
    const wrong: string[] = [];
    for (const message of texts) {
      for (const inField of [{}, { fields: { email: message } }]) {
        refusal = { code: "invented", message, ...inField };
        await send(label, "friend@example.org");
        wrong.push(...(await see({ shows: [message] })));
      }
    }
    refusal = null;
    return wrong;
  },
};
