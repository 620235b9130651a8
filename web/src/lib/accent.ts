import { writeStorage } from "@/lib/storage/web-storage";

type Rgb = readonly [number, number, number];

const BLACK: Rgb = [0, 0, 0];
const WHITE: Rgb = [255, 255, 255];

/** `--background` of both themes, as in src/styles/tokens.css. */
export const GROUNDS = { light: "#fcfaf6", dark: "#120f0c" } as const;

/** `--primary-foreground` of both themes, with which the server checks an accent: text on it. */
export const ACCENT_INKS = { light: "#fdfbf8", dark: "#170c09" } as const;

/** The accent color of the built-in icon. */
export const BUILT_IN_ACCENT = "#d24a1a";

/** Minimum contrast of text: WCAG's 4.5 to 1, and a reserve for other backgrounds, such as a hovered row. */
const TEXT_CONTRAST = 5.2;
/** Minimum contrast of other elements, such as the ring around a field. */
const SHAPE_CONTRAST = 3;
const STEPS = 50;

function parseHex(hex: string): Rgb {
  const value = Number.parseInt(hex.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

const toHex = (color: Rgb) =>
  `#${color.map((channel) => Math.round(channel).toString(16).padStart(2, "0")).join("")}`;

const mix = (color: Rgb, other: Rgb, part: number): Rgb => [
  color[0] + (other[0] - color[0]) * part,
  color[1] + (other[1] - color[1]) * part,
  color[2] + (other[2] - color[2]) * part,
];

function linear(channel: number): number {
  const value = channel / 255;
  return value <= 0.040_45 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}

const luminance = ([red, green, blue]: Rgb) =>
  0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);

function contrast(one: Rgb, other: Rgb): number {
  const [dark, light] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return ((light ?? 0) + 0.05) / ((dark ?? 0) + 0.05);
}

/** The contrast of two colours such as `#d24a1a`, from 1 to 21, as WCAG computes it. */
export const contrastOf = (one: string, other: string) => contrast(parseHex(one), parseHex(other));

export const isHexColor = (text: string) => /^#[\da-f]{6}$/i.test(text);

/** The colour, mixed with `toward` until it has the contrast. */
function reachContrast(color: Rgb, ground: Rgb, toward: Rgb, wanted: number): Rgb {
  for (let step = 0; step < STEPS; step += 1) {
    const mixed = mix(color, toward, step / STEPS);
    if (contrast(mixed, ground) >= wanted) return mixed;
  }
  return toward;
}

type AccentName = "--primary" | "--primary-strong" | "--primary-stronger";

function deriveTheme(color: Rgb, ground: Rgb, toward: Rgb): Record<AccentName, string> {
  const strong = reachContrast(color, ground, toward, TEXT_CONTRAST);
  return {
    "--primary": toHex(reachContrast(color, ground, toward, SHAPE_CONTRAST)),
    "--primary-strong": toHex(strong),
    "--primary-stronger": toHex(mix(strong, toward, 0.14)),
  };
}

/** The values of the accent's custom properties in both themes: dark or light enough to be read. */
export function deriveAccent(hex: string) {
  const color = parseHex(hex);
  return {
    light: deriveTheme(color, parseHex(GROUNDS.light), BLACK),
    dark: deriveTheme(color, parseHex(GROUNDS.dark), WHITE),
  };
}

const toCss = (selector: string, values: Record<string, string>) =>
  `${selector}{${Object.entries(values)
    .map(([name, value]) => `${name}:${value}`)
    .join(";")}}`;

/** Where `start.js` finds the styles, for the screen before the app is there. */
const STORAGE_KEY = "kith:accent";

/** Shows the app with this accent; null for the built-in one. */
export function applyAccent(color: string | null): void {
  const accent = color !== null && isHexColor(color) ? deriveAccent(color) : null;
  const css = accent && toCss(":root", accent.light) + toCss(".dark", accent.dark);
  writeStorage("localStorage", STORAGE_KEY, css && JSON.stringify({ color, css }));
  // A constructed sheet: the content security policy forbids inline styles. It takes the place of the one of `start.js`.
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css ?? "");
  document.adoptedStyleSheets = [sheet];
}
