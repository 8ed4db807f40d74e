import { describe, expect, test } from "vitest";
import { style } from "../../../../src/product/report/html/style.ts";

type Rgb = readonly number[];

/** The rules of a style sheet with the media queries around them. */
function readRules(text: string): { readonly media: string; readonly rule: string }[] {
  const rules: { media: string; rule: string }[] = [];
  let media = "";
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === "{") {
      const head = text.slice(from, at).trim();
      if (head.startsWith("@media")) {
        media = head;
        from = at + 1;
        continue;
      }
      const end = text.indexOf("}", at);
      rules.push({ media, rule: text.slice(from, end + 1).trim() });
      at = end;
      from = end + 1;
    } else if (text[at] === "}") {
      media = "";
      from = at + 1;
    }
  }
  return rules;
}

const isDark = ({ rule }: { readonly rule: string }) => rule.includes("--page: #0e1116");
const ROOT = /^:root \{/;

/** Colours by name, from the rule of a theme. */
function readPalette(theme: "light" | "dark"): ReadonlyMap<string, string> {
  const { rule } = readRules(style).find((one) => (theme === "dark" ? isDark(one) : ROOT.test(one.rule)))!;
  return new Map([...rule.matchAll(/--([a-z0-9-]+): ([^;]+);/g)].map(([, name, value]) => [name!, value!]));
}

function toRgb(text: string): Rgb {
  if (!text.startsWith("#")) return text.split(" ").map(Number);
  return [1, 3, 5].map((at) => Number.parseInt(text.slice(at, at + 2), 16));
}

/** Opacity of a colour in eight hexadecimal digits. */
const alphaOf = (text: string) => Number.parseInt(text.slice(7, 9), 16) / 255;
const mix = (over: Rgb, under: Rgb, share: number): Rgb =>
  over.map((value, i) => value * share + under[i]! * (1 - share));

/** Relative luminance of WCAG 2. */
function luminance(colour: Rgb): number {
  const [r, g, b] = colour.map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a: Rgb, b: Rgb): number {
  const [dim, bright] = [luminance(a), luminance(b)].sort((x, y) => x - y) as [number, number];
  return (bright + 0.05) / (dim + 0.05);
}

/** What WCAG 2 requires of small text at level AA. */
const LEAST = 4.5;

describe.each(["light", "dark"] as const)("the %s palette", (theme) => {
  const palette = readPalette(theme);
  const colour = (name: string) => toRgb(palette.get(name)!);
  const page = colour("page");

  test("has text that is readable on every background of text", () => {
    const band = mix(colour("band"), page, alphaOf(palette.get("band")!));
    const grounds = ["page", "raised", "soft", "warn-soft", "error-soft"].map((name) => [name, colour(name)] as const);
    const faint: string[] = [];
    for (const text of ["ink", "ink2", "ink3", "up", "down", "warn"])
      for (const [name, ground] of [...grounds, ["a chosen row", band] as const]) {
        const ratio = contrast(colour(text), ground);
        if (ratio < LEAST) faint.push(`${text} on ${name}: ${ratio.toFixed(2)}`);
      }
    expect(faint).toEqual([]);
  });

  test("has numbers that are readable on the strongest colours of maps and months", () => {
    const ink = colour("ink");
    // The shares are those of `.map td`, of `.liquidated` and of the best or worst month.
    expect(contrast(ink, mix(colour("equity"), page, 0.55))).toBeGreaterThan(LEAST);
    expect(contrast(ink, mix(colour("down"), page, 0.48))).toBeGreaterThan(LEAST);
    expect(contrast(page, colour("down"))).toBeGreaterThan(LEAST);
    for (const heat of ["heat-up", "heat-down"])
      expect(contrast(ink, mix(colour(heat), page, 0.58))).toBeGreaterThan(LEAST);
  });

  test("names the same colours as the other", () => {
    const others = readPalette(theme === "dark" ? "light" : "dark");
    const names = (one: ReadonlyMap<string, string>) => [...one.keys()].filter((name) => name !== "top").sort();
    expect(names(palette)).toEqual(names(others));
  });
});

// A page that its reader had switched to dark printed light text on white paper.
test("dark colours are for screens alone, so that a dark page prints as a light one", () => {
  const dark = readRules(style).filter(isDark);
  expect(dark).toHaveLength(2);
  for (const { media } of dark) expect(media).toMatch(/^@media screen/);
});

test("bars and maps keep their colours on paper, where browsers leave backgrounds out", () => {
  const printed = readRules(style).find(
    ({ media, rule }) => media === "@media print" && rule.includes("print-color-adjust: exact"),
  )!;
  for (const filled of [".share i", ".heat", ".map td", ".key", ".histogram i"]) expect(printed.rule).toContain(filled);
});
