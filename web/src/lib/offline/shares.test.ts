import { describe, expect, it } from "vitest";
import { parseShare, takeShares } from "./shares";

function parse(fields: Record<string, string>): string {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return parseShare(form).text;
}

describe("the text of a share", () => {
  it.each([
    [{ title: "Tea", text: "Good", url: "https://a.example/" }, "Tea\nGood\nhttps://a.example/"],
    [{ text: "See https://a.example/", url: "https://a.example/" }, "See https://a.example/"],
    [{ title: "Tea", text: "Tea is good" }, "Tea is good"],
    [{ title: "Tea", text: "Tea" }, "Tea"],
    [{ title: " ", text: "" }, ""],
    [{}, ""],
  ])("of %j has each part once", (fields, text) => expect(parse(fields)).toBe(text));
});

it("is nothing where browsers have no caches", async () => {
  expect(await takeShares()).toEqual([]);
});
