import { describe, expect, it } from "vitest";
import { addressLabel, richText, webAddress } from "./rich-text";

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
  ])("links the address in %j", (text, href, rest) => {
    const parts = richText(text);
    expect(parts.find((part) => part.kind === "link")).toEqual({ kind: "link", text: href, href });
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
      { kind: "link", text: "https://a.example/@ada", href: "https://a.example/@ada" },
    ]);
  });
  it("loses no character", () => {
    const text = "a https://x.example, b (http://y.example/?q=1) c";
    expect(
      richText(text)
        .map((part) => part.text)
        .join(""),
    ).toBe(text);
  });
});

describe("web addresses", () => {
  it("are shown without their scheme", () => {
    expect(addressLabel("https://www.a.example/")).toBe("a.example");
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
    expect(richText(href)).toEqual([{ kind: "link", text: href, href }]);
  });
  it("are only http and https", () => {
    expect(webAddress("https://a.example")).toBe("https://a.example");
    expect(webAddress("javascript:alert(1)")).toBeNull();
    expect(webAddress("nonsense")).toBeNull();
    expect(webAddress(null)).toBeNull();
  });
});
