import { describe, expect, it } from "vitest";
import { firstScreen, withFirstScreen } from "./first-screen";

const narrow = { home: '<a id="x" href="/" aria-current="page" class="a">@</a>', other: "<i></i>" };
const wide = { home: "<b></b>", other: "<i></i>" };

describe("the first screen", () => {
  it("is inert, and keeps the attributes that its styles select", () => {
    expect(firstScreen([{ from: 0, pages: narrow }])).toBe(
      '<p role="status" class="sr-only noscript:hidden">Loading...</p>' +
        '<div inert aria-hidden="true" class="noscript:hidden [html:not([lang=en])_&]:**:text-transparent!">' +
        '<div class="hidden [[data-first=home]_&]:block"><a aria-current="page" class="a"></a></div>' +
        '<div class="[[data-first]_&]:hidden"><i></i></div></div>',
    );
  });
  it("is rendered once for each range of widths in which it differs", () => {
    const html = firstScreen([
      { from: 0, pages: narrow },
      { from: 40, pages: narrow },
      { from: 64, pages: wide },
    ]);
    expect(html).toContain('<div class="min-[64rem]:hidden"><a ');
    expect(html).toContain('<div class="max-[64rem]:hidden"><b></b></div>');
    expect(html.match(/<a /g)).toHaveLength(1);
    expect(html.match(/<i>/g)).toHaveLength(1);
  });
  it("must not contain inline styles, which the content security policy forbids", () => {
    const pages = { other: '<p style="color:red"></p>' };
    expect(() => firstScreen([{ from: 0, pages }])).toThrow(/inline styles/);
  });
});

describe("a page with a first screen", () => {
  const first = { html: "<p></p>", styles: "assets/first.css", font: "assets/font.woff2" };
  it("is blocked by the first screen's styles only, and has the others behind it", () => {
    const page =
      '<script src="/start.js"></script>\n<link rel="stylesheet" href="/rest.css"><div id="root"></div>';
    expect(withFirstScreen(page, first)).toBe(
      '<link rel="stylesheet" href="/assets/first.css" />\n' +
        '    <script src="/start.js" data-font="assets/font.woff2"></script>' +
        '<div id="root"><p></p></div>\n<link rel="stylesheet" href="/rest.css">',
    );
  });
  it("needs a root element", () => {
    expect(() => withFirstScreen("<html></html>", first)).toThrow(/no place/);
  });
});
