import { msg, plural, select, t } from "@lingui/core/macro";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { formatBytes } from "@/lib/text/format-bytes";
import { formatCompact, formatNumber } from "@/lib/text/format-number";
import {
  formatDate,
  formatDateTime,
  formatRelative,
  formatRelativeShort,
} from "@/lib/time/format-date";
import { chooseLocale, initLocale, loadMemberCatalog } from "./catalogs";
import { activeLocale, detectLocale } from "./locale";
import { addTranslations, clearTranslations, type CompiledMessage } from "./message";
import { i18n, Trans } from "./runtime";

const page = { lang: "", dir: "" };
const stored = new Map<string, string>();

beforeEach(() => {
  stored.clear();
  vi.stubGlobal("document", { documentElement: page });
  vi.stubGlobal("navigator", { languages: ["en-US"] });
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  clearTranslations(null);
  activeLocale.set("en");
});

function render(message: CompiledMessage, values: Record<string, unknown>): string {
  const components = { 0: createElement("b"), 1: createElement("a", { href: "/" }) };
  return renderToStaticMarkup(createElement(Trans, { id: "x", message, values, components }));
}

function detectIn(...languages: string[]) {
  vi.stubGlobal("navigator", { languages });
  return detectLocale();
}

describe("a message", () => {
  it("is in English without a catalogue", () => {
    const name = "Ana";
    expect(t`You're muted, ${name}.`).toBe("You're muted, Ana.");
    expect(i18n._(msg`Reload it`)).toBe("Reload it");
  });
  it("has the plural form of its count", () => {
    const texts = [0, 1, 2, 12_345].map((count) =>
      plural(count, { 0: "no follower", one: "# follower", other: "# followers" }),
    );
    expect(texts).toEqual(["no follower", "1 follower", "2 followers", "12,345 followers"]);
  });
  it("has a form for each choice", () => {
    const texts = ["post", "user"].map((kind) =>
      select(kind, { post: "This post", other: "This member" }),
    );
    expect(texts).toEqual(["This post", "This member"]);
  });
  it("is in the active language once its translation is loaded", () => {
    const text = msg`Only in this test`;
    addTranslations({ [text.id]: ["Nur in diesem Test"] });
    expect(i18n._(text)).toBe("Nur in diesem Test");
    clearTranslations(null);
    expect(i18n._(text)).toBe("Only in this test");
  });
});

describe("a message with elements", () => {
  it("may have them in any order, and inside each other", () => {
    expect(render(["<1>by <0>", ["name"], "</0></1>, since <0/>"], { name: "Ana" })).toBe(
      '<a href="/">by <b>Ana</b></a>, since <b></b>',
    );
  });
  it("does not take a tag in a value for its own", () => {
    expect(render(["by ", ["name"]], { name: "<0>Ana</0>" })).toBe("by &lt;0&gt;Ana&lt;/0&gt;");
  });
  it("survives a translation with an unknown or unclosed tag", () => {
    expect(render("a <7>b</7> </0>c", {})).toBe("a b c");
  });
});

describe("the language", () => {
  it("is the stored one, else the first supported one of the browser, else English", () => {
    expect(detectIn("fr-FR", "de-AT", "en")).toBe("de");
    expect(detectIn("fr")).toBe("en");
    stored.set("kith:locale", "en");
    expect(detectIn("de")).toBe("en");
    stored.set("kith:locale", "xx");
    expect(detectIn("de")).toBe("de");
  });
  it("is English without waiting", async () => {
    await initLocale();
    expect(activeLocale.get()).toBe("en");
  });
  it("is German with texts, dates and numbers, and English again", async () => {
    await chooseLocale("de");
    await loadMemberCatalog();
    expect(page).toEqual({ lang: "de", dir: "ltr" });
    expect(stored.get("kith:locale")).toBe("de");
    expect(t`Back to home`).toBe("Zur Startseite");
    expect(formatDate("2026-11-28T12:00:00Z")).toBe("28. November 2026");
    expect(formatDateTime("2026-11-28T12:00:00")).toBe("Samstag, 28. November 2026 um 12:00");
    const now = Date.parse("2026-11-28T12:00:00Z");
    expect(formatRelative("2026-11-26T12:00:00Z", now)).toBe("vor 2 Tagen");
    expect(formatRelativeShort("2026-11-28T09:00:00Z", now)).toBe("3 Std.");
    expect(formatRelativeShort("2026-11-03T12:00:00Z", now)).toBe("3. Nov.");
    expect(formatNumber(12_345)).toBe("12.345");
    expect(formatCompact(1_234_567)).toBe("1,2\u00a0Mio.");
    expect(formatBytes(3_400_000)).toBe("3,4 MB");
    await chooseLocale("en");
    expect(t`Back to home`).toBe("Back to home");
    expect(formatNumber(12_345)).toBe("12,345");
  });
});
