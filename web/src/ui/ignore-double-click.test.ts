import type { MouseEvent } from "react";
import { expect, it } from "vitest";
import { ignoreDoubleClick } from "./ignore-double-click";

// proves: double-click-once
it.each([
  ["a key", 0, 1],
  ["a click", 1, 1],
  ["the second click of a double click", 2, 0],
  ["the third of a triple click", 3, 0],
])("%s, which counts as %i, runs it %i times", (_, detail, times) => {
  let ran = 0;
  ignoreDoubleClick(() => (ran += 1))({ detail } as MouseEvent);
  expect(ran).toBe(times);
});
