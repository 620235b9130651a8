import { describe, expect, it } from "vitest";
import { addressLabel, type MentionSpan, richText, webAddress } from "./rich-text";

describe("richText", () => {
  it("leaves plain text alone", () => {
    expect(richText("hi @ada")).toEqual([{ kind: "text", text: "hi @ada" }]);
  });
  it("links mentions by their UTF-16 offsets", () => {
    expect(richText("👋 @ada!", [{ username: "ada", start: 3, end: 7 }])).toEqual([
      { kind: "text", text: "👋 " },
      { kind: "mention", text: "@ada", username: "ada" },
      { kind: "text", text: "!" },
    ]);
  });
  it("links hashtags to the tag the server found, whatever is written", () => {
    const text = "🌍 #Café, @ada";
    const hashtags = [{ tag: "cafe", start: 3, end: 8 }];
    expect(richText(text, [{ username: "ada", start: 10, end: 14 }], hashtags)).toEqual([
      { kind: "text", text: "🌍 " },
      { kind: "hashtag", text: "#Café", tag: "cafe" },
      { kind: "text", text: ", " },
      { kind: "mention", text: "@ada", username: "ada" },
    ]);
    expect(richText("#Café")).toEqual([{ kind: "text", text: "#Café" }]);
  });
  it("ignores spans that overlap or leave the text", () => {
    const spans = [
      { username: "ada", start: 0, end: 4 },
      { username: "eve", start: 2, end: 4 },
      { username: "bob", start: 3, end: 99 },
    ];
    expect(richText("@ada", spans)).toEqual([{ kind: "mention", text: "@ada", username: "ada" }]);
  });
  it.each([
    ["see https://a.example/x.", "https://a.example/x", "."],
    ["(https://a.example/b)", "https://a.example/b", ")"],
    ["https://a.example/b_(c)!", "https://a.example/b_(c)", "!"],
    ["https://münchen.example:8443?q!", "https://münchen.example:8443?q", "!"],
    ["https://cafe\u0301.my_blog.example!", "https://cafe\u0301.my_blog.example", "!"],
    ["http://日本.example/ノ.", "http://日本.example/ノ", "."],
    ["http://[2001:db8::1]:80/.", "http://[2001:db8::1]:80/", "."],
    ["HTTPS://A.EXAMPLE#b.", "HTTPS://A.EXAMPLE#b", "."],
    ["“https://a.example/b.”", "https://a.example/b", ".”"],
    ["«https://a.example/b»,", "https://a.example/b", "»,"],
  ])("links the address in %j", (text, href, rest) => {
    const parts = richText(text);
    expect(parts.find((part) => part.kind === "link")).toMatchObject({ href });
    expect(parts.at(-1)).toEqual({ kind: "text", text: rest });
  });
  it.each(["javascript:alert(1)", "data:text/html,x", "https://", "ftp://a.example"])(
    "never links %j",
    (text) => {
      expect(richText(text).every((part) => part.kind === "text")).toBe(true);
    },
  );
  // proves: card-address-open
  it.each([
    "https://kith.example@evil.example/login",
    "https://kith.example:443@evil.example/",
    "https://:kith.example@evil.example",
    "HTTP://kith.example%2Flogin@evil.example",
    "https://kith.example@@evil.example",
    ...[
      "\u2044",
      "\u2215",
      "\u29f8",
      "\u2571",
      "\uff0f",
      "\\",
      "\u3002",
      "\u30ce",
      "\u0131\u0338",
      "\u01c0",
    ].map((like) => `https://kith.example${like}login.evil.example/x`),
  ])("leaves %j as text, which pretends to lead elsewhere", (text) => {
    expect(richText(text)).toEqual([{ kind: "text", text }]);
    expect(richText(`see ${text}, and https://a.example/@ada`).slice(1)).toEqual([
      { kind: "link", text: "a.example/@ada", href: "https://a.example/@ada" },
    ]);
  });
  it("loses no character", () => {
    const text = "a https://x.example, b (http://y.example/?q=1) c";
    expect(
      richText(text)
        .map((part) => (part.kind === "link" ? part.href : part.text))
        .join(""),
    ).toBe(text);
  });
});

/** What is read of a text, with its links in brackets. */
function read(content: string, mentions: readonly MentionSpan[] = []): string {
  return richText(content, mentions)
    .map(({ kind, text }) => (kind === "link" ? `[${text}]` : text))
    .join("");
}

describe("an address beside something else", () => {
  const other = "https://www.terms.example/2026";
  // proves: card-address-apart
  it.each([
    "kith.example/",
    "accounts.kith.",
    "kith.example/(",
    "kith.example/ \u200b",
    "\u2800",
    "請看",
    "see:",
    ...["\u2002", "\u200a", "\u202f", "\u205f", "\u200b"].map((gap) => `kith.example/${gap}`),
  ])("says behind %j where it begins", (before) => {
    expect(read(before + other)).toBe(`${before}[${other}]`);
  });
  it.each(["\u200b", "\u200a", "\u2800", "\u3164", "'", "'\u200f"])(
    "says before %j, which among text from right to left may stand at its left, where it begins",
    (after) => {
      const rest = `${after}kith.example/`;
      expect(read(`\u05d0 ${other}${rest}`)).toBe(`\u05d0 [${other}]${rest}`);
    },
  );
  it.each(["", " ", "\n", "\u3000", "(", " “", "\n«", " 「", ' ("', "see <"])(
    "is shown without its scheme behind %j",
    (before) => {
      expect(read(before + other)).toBe(`${before}[terms.example/2026]`);
    },
  );
  it.each(["", " ", "\n", "\u3000", ").", '" and', "'.", "> and"])(
    "is shown without its scheme before %j",
    (after) => {
      expect(read(other + after)).toBe(`[terms.example/2026]${after}`);
    },
  );
  it("says behind a name and before one where it begins", () => {
    const mentions = [{ username: "ada", start: 0, end: 4 }];
    expect(read(`@ada${other}`, mentions)).toBe(`@ada[${other}]`);
    const start = other.length;
    expect(read(`${other}@ada`, [{ username: "ada", start, end: start + 4 }])).toBe(
      `[${other}]@ada`,
    );
  });
  it("is not read as one with another", () => {
    const help = "https://kith.example/help//";
    expect(read(`${help}\u200a${other}`)).toBe(`[${help}]\u200a[${other}]`);
    for (const gap of [" ", "\n", " (", "\n\n"]) {
      expect(read(`${help}${gap}${other}`)).toBe(`[kith.example/help/]${gap}[${other}]`);
    }
    expect(read(`${help} and ${other}`)).toBe("[kith.example/help/] and [terms.example/2026]");
  });
  it.each(["\u200b", "\u2060", "\u00ad", "\u2800", "\u3164", "\u{1d159}"])(
    "ends at %j, which nobody sees",
    (blank) => {
      const rest = `${blank.repeat(30)}kith.example/help`;
      expect(read(`${other}/${rest}`)).toBe(`[${other}/]${rest}`);
    },
  );
  it.each(["\u200b", "\u200a", "\u2028", "\u2800", "\u3164", "\u200b\u200a"])(
    "is no link where its host seems to go on behind %j",
    (gap) => {
      for (const rest of ["m/login", ".uk", "-login.example"]) {
        const text = `https://kith.co${gap}${rest}`;
        expect(read(text)).toBe(text);
      }
      expect(read(`https://kith.co.${gap}uk`)).toBe(`https://kith.co.${gap}uk`);
      expect(read(`https://kith.co${gap}!`)).toBe(`[https://kith.co]${gap}!`);
    },
  );
  it("keeps what joins letters of words and makes emoji", () => {
    const path =
      "kith.example/\u0646\u0631\u0645\u200c\u0627\u0641/\u2764\ufe0f\u200d\ud83d\udd25/x";
    expect(read(`https://${path}`)).toBe(`[${path}]`);
  });
});

describe("web addresses", () => {
  it("are shown without their scheme", () => {
    expect(addressLabel("https://www.a.example/")).toBe("a.example");
  });
  // proves: card-address-www
  it.each([
    ["https://www.kith.example/", "kith.example"],
    ["https://www.3.example/x", "3.example/x"],
    ["https://www./kith.example/login", "www./kith.example/login"],
    ["https://www.?kith.example", "www.?kith.example"],
    ["https://www.-a.example/", "www.-a.example"],
  ])("lose their www. only before a host: %j", (href, label) => {
    expect(addressLabel(href)).toBe(label);
  });
  // proves: card-address-open
  it.each([
    ["https://\u017facebook.com/Login?a#b", "sacebook.com/Login?a#b"],
    ["https://www.\u0430\u0440\u0440\u04cf\u0435.com/", "xn--80ak6aa92e.com"],
    ["https://g\u0ed0\u0ed0gle.com:8443/x", "xn--ggle-q7oa.com:8443/x"],
    ["https://faceboo\u0138.com", "xn--faceboo-jhb.com"],
    ["https://m\u00fcller.example/M\u00fcller", "xn--mller-kva.example/M\u00fcller"],
    ["http://2130706433/x", "127.0.0.1/x"],
    ["HTTPS://A.Example/B", "A.Example/B"],
    ["http://[2001:db8::1]:80/", "[2001:db8::1]:80"],
  ])("say of %j which host it leads to", (href, label) => {
    expect(addressLabel(href)).toBe(label);
  });
  // proves: card-address-open
  it("are links in letters of any one script", () => {
    const href = "https://m\u00fcller.example";
    expect(richText(href)).toEqual([{ kind: "link", text: "xn--mller-kva.example", href }]);
  });
  it("are only http and https", () => {
    expect(webAddress("https://a.example")).toBe("https://a.example");
    expect(webAddress("javascript:alert(1)")).toBeNull();
    expect(webAddress("nonsense")).toBeNull();
    expect(webAddress(null)).toBeNull();
  });
});
