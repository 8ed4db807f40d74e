import { expect, test } from "vitest";
import { Random } from "../../../../src/ground/math/random.ts";
import { clampView, focusView, panView, zoomView } from "../../../../src/product/report/html/viewport.ts";

const whole = { fromMs: 1_000_000, toMs: 90_000_000 };
const span = ({ fromMs, toMs }: { fromMs: number; toMs: number }) => toMs - fromMs;

test("a view never leaves the whole time and never gets shorter than ten seconds, whatever is asked", () => {
  const random = new Random([1, 2, 3, 4]);
  let view = whole;
  for (let i = 0; i < 2_000; i++) {
    const at = random.between(view.fromMs, view.toMs);
    const way = random.between(0, 3);
    if (way === 0) view = zoomView(whole, view, at, random.between(1, 40) / 10);
    else if (way === 1) view = panView(whole, view, random.between(-30, 30) / 10);
    else if (way === 2) view = focusView(whole, at, at + random.between(0, 9_000_000));
    else view = clampView(whole, at, random.between(0, 100_000_000));
    expect(view.fromMs).toBeGreaterThanOrEqual(whole.fromMs);
    expect(view.toMs).toBeLessThanOrEqual(whole.toMs);
    expect(span(view)).toBeGreaterThanOrEqual(10_000);
  }
});

test("zooming keeps the time under the cursor where it is", () => {
  const view = zoomView(whole, whole, 40_000_000, 0.25);
  const share = (40_000_000 - view.fromMs) / span(view);
  expect(share).toBeCloseTo((40_000_000 - whole.fromMs) / span(whole), 5);
  expect(span(view)).toBeCloseTo(span(whole) / 4, 0);
});

test("panning keeps the length of the view, at both ends too", () => {
  const view = { fromMs: 2_000_000, toMs: 12_000_000 };
  expect(panView(whole, view, 0.5)).toEqual({ fromMs: 7_000_000, toMs: 17_000_000 });
  expect(panView(whole, view, -3)).toEqual({ fromMs: 1_000_000, toMs: 11_000_000 });
  expect(panView(whole, view, 99)).toEqual({ fromMs: 80_000_000, toMs: 90_000_000 });
});

test("a run shorter than the shortest view is shown whole", () => {
  const short = { fromMs: 0, toMs: 1 };
  expect(zoomView(short, short, 0, 0.5)).toEqual(short);
});
