import { expect, test } from "vitest";
import { ACCENT_INKS, contrastOf, deriveAccent, GROUNDS } from "./accent";

test("black and white have the largest contrast", () => {
  expect(contrastOf("#000000", "#ffffff")).toBeCloseTo(21);
  expect(contrastOf("#777777", "#ffffff")).toBeCloseTo(4.48, 2);
});

// proves: identity-accent-shown
test.each(["#d24a1a", "#ffff00", "#ffffff", "#000000", "#0050ff", "#00ff88", "#7b2fbe"])(
  "%s can be read on the ground of both themes, and text on it",
  (color) => {
    const { light, dark } = deriveAccent(color);
    for (const [theme, ground, ink] of [
      [light, GROUNDS.light, ACCENT_INKS.light],
      [dark, GROUNDS.dark, ACCENT_INKS.dark],
    ] as const) {
      for (const name of ["--primary-strong", "--primary-stronger"] as const) {
        expect(contrastOf(theme[name], ground)).toBeGreaterThanOrEqual(4.5);
        expect(contrastOf(theme[name], ink)).toBeGreaterThanOrEqual(4.5);
      }
      expect(contrastOf(theme["--primary"], ground)).toBeGreaterThanOrEqual(2.95);
    }
  },
);
