import { describe, expect, it } from "vitest";
import type { Draft } from "./draft";
import { areTextsApart, mergeDrafts } from "./draft-merge";
import { readyImage } from "./invented-image";

const [one, two, three] = [readyImage("1"), readyImage("2"), readyImage("3")];
const late = { id: "9", alt: "", ready: null };

function draftOf(text: string, ...images: Draft["images"]): Draft {
  return { text, poll: null, images };
}

describe("mergeDrafts", () => {
  // proves: composer-tabs
  it("takes the text that another tab changed, and keeps the images that are only here", () => {
    const mine = draftOf("a", one, late);
    expect(mergeDrafts(mine, draftOf("a"), draftOf("ab"))).toEqual(draftOf("ab", one, late));
  });
  // proves: composer-tabs
  it("keeps the letters that are only here when another tab's image became ready", () => {
    const merged = mergeDrafts(draftOf("abc"), draftOf("a"), draftOf("a", one));
    expect(merged).toEqual(draftOf("abc", one));
  });
  // proves: composer-tabs
  it("keeps a text that could not be stored, whatever another tab wrote or cleared", () => {
    const mine = draftOf("long", one);
    expect(mergeDrafts(mine, draftOf(""), draftOf("short"))).toEqual(mine);
    expect(mergeDrafts(mine, draftOf("l"), draftOf(""))).toEqual(mine);
    expect(areTextsApart(mine, draftOf(""), draftOf("short"))).toBe(true);
    expect(areTextsApart(mine, draftOf(""), draftOf(""))).toBe(false);
    expect(areTextsApart(mine, draftOf("l"), draftOf("long"))).toBe(false);
    expect(areTextsApart(mine, draftOf("long"), draftOf("longer"))).toBe(false);
  });
  // proves: composer-tabs
  it("is empty when another tab posted what is here, but for an image on its way", () => {
    const sent = { ...draftOf("a", one), poll: ["x", "y"], attempt: { key: "k", sent: "s" } };
    const mine = { ...sent, images: [one, late] };
    expect(mergeDrafts(mine, sent, draftOf(""))).toEqual(draftOf("", late));
  });
  // proves: composer-tabs
  it("takes the poll and the attempt of whoever changed it", () => {
    const before = { ...draftOf("a"), poll: ["x", "y"] };
    const attempt = { key: "k", sent: "s" };
    const after = { ...before, poll: ["x", "z"], attempt };
    expect(mergeDrafts(before, before, after)).toEqual(after);
    const mine = { ...before, poll: null };
    expect(mergeDrafts(mine, before, after)).toEqual({ ...after, poll: null });
  });
  // proves: composer-tabs
  it.each([
    ["added", [one], [one], [one, two], [one, two]],
    ["added in both", [one, two], [one], [one, three], [one, three, two]],
    ["removed", [one, two], [one, two], [two], [two]],
    ["removed here", [two], [one, two], [one, two, three], [two, three]],
    ["moved", [one, two, three], [one, two], [two, one], [two, one, three]],
    ["moved here", [two, one], [one, two], [one, two], [two, one]],
  ])("has the images right when one is %s", (_, mine, before, after, merged) => {
    const images = [mine, before, after].map((its) => draftOf("", ...its)) as [Draft, Draft, Draft];
    expect(mergeDrafts(...images).images).toEqual(merged);
  });
  // proves: composer-tabs
  it("takes a description that another tab wrote, unless this one wrote another", () => {
    const theirs = draftOf("", readyImage("1", "theirs"));
    const ours = draftOf("", readyImage("1", "ours"));
    expect(mergeDrafts(draftOf("", one), draftOf("", one), theirs)).toEqual(theirs);
    expect(mergeDrafts(ours, draftOf("", one), theirs)).toEqual(ours);
  });
});
