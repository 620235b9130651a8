import { expect, test } from "vitest";
import { defaultSite, getContactUrl, parseSite } from "./site";

// proves: identity-app
test("values missing in the page have defaults", () => {
  expect(parseSite('{"name":"Lakeside","rulesVersion":2}')).toEqual({
    ...defaultSite,
    name: "Lakeside",
    rulesVersion: 2,
  });
});

test.each([undefined, null, "", "{"])(
  "without a readable identity it is the default: %s",
  (json) => {
    expect(parseSite(json)).toEqual(defaultSite);
  },
);

test("a contact becomes a link", () => {
  expect(getContactUrl("ada@lake.example")).toBe("mailto:ada@lake.example");
  expect(getContactUrl("https://lake.example/help")).toBe("https://lake.example/help");
});
