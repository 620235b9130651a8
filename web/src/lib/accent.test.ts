import { expect, test } from "vitest";
import { contrastOf, deriveAccent } from "./accent";

test("black and white have the largest contrast", () => {
  expect(contrastOf("#000000", "#ffffff")).toBeCloseTo(21);
  expect(contrastOf("#777777", "#ffffff")).toBeCloseTo(4.48, 2);
});

test.each(["#d24a1a", "#ffff00", "#ffffff", "#000000", "#0050ff", "#00ff88", "#7b2fbe"])(
  "%s can be read on the ground of both themes, and text on it",
  (color) => {
    const { light, dark } = deriveAccent(color);
    for (const [theme, ground] of [
      [light, "#fcfaf6"],
      [dark, "#120f0c"],
    ] as const) {
      for (const name of ["--primary-strong", "--primary-stronger"]) {
        expect(contrastOf(theme[name] ?? "", ground)).toBeGreaterThanOrEqual(4.5);
        expect(
          contrastOf(theme[name] ?? "", theme["--primary-foreground"] ?? ""),
        ).toBeGreaterThanOrEqual(4.5);
      }
      expect(contrastOf(theme["--primary"] ?? "", ground)).toBeGreaterThanOrEqual(2.95);
    }
  },
);
