import { expect, it } from "vitest";
import { segmentRichText } from "./segment-rich-text";

const bare = { mentions: [], hashtags: [], links: [] };

it("leaves plain text alone", () => {
  expect(segmentRichText({ ...bare, content: "hi @ada #tag https://a.example" })).toEqual([
    { text: "hi @ada #tag https://a.example" },
  ]);
});

it("splits a text where the server found something, in UTF-16 units", () => {
  const mention = { username: "ada", start: 10, end: 14 };
  const hashtag = { tag: "cafe", start: 3, end: 8 };
  const link = { url: "https://a.example/", label: "a.example", start: 15, end: 32 };
  const content = "🌍 #Café, @ada https://a.example!";
  const entities = { mentions: [mention], hashtags: [hashtag], links: [link] };
  expect(segmentRichText({ content, ...entities })).toEqual([
    { text: "🌍 " },
    { text: "#Café", entity: hashtag },
    { text: ", " },
    { text: "@ada", entity: mention },
    { text: " " },
    { text: "a.example", entity: link },
    { text: "!" },
  ]);
});

it("shows the first of two entities that overlap", () => {
  const mentions = [{ username: "ada", start: 0, end: 4 }];
  const hashtags = [{ tag: "tag", start: 2, end: 4 }];
  expect(segmentRichText({ ...bare, content: "@ada", mentions, hashtags })).toEqual([
    { text: "" },
    { text: "@ada", entity: mentions[0] },
    { text: "" },
  ]);
});
