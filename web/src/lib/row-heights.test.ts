import { expect, it } from "vitest";
import { forgetHeights, heightOf, rememberHeight } from "./row-heights";

it("keeps the last height of a row until all are forgotten", () => {
  rememberHeight("7", 120);
  rememberHeight("7", 140.5);
  expect(heightOf("7")).toBe(140.5);
  forgetHeights();
  expect(heightOf("7")).toBeUndefined();
});
