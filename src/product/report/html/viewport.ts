/** The stretch of time that charts show, and how controls change it. */
export interface Viewport {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Shortest view. */
const SPAN_LEAST_MS = 10_000;

/**
 * A view of the requested time within `whole`: it keeps its length where that fits, and is at least ten seconds long.
 */
export function clampView(whole: Viewport, fromMs: number, toMs: number): Viewport {
  const longest = whole.toMs - whole.fromMs;
  const span = Math.min(longest, Math.max(Math.min(SPAN_LEAST_MS, longest), toMs - fromMs));
  const middle = (fromMs + toMs) / 2;
  const from = Math.min(whole.toMs - span, Math.max(whole.fromMs, Math.round(middle - span / 2)));
  return { fromMs: from, toMs: from + span };
}

/** Zooms around a time: `factor` below 1 shows less. */
export function zoomView(whole: Viewport, view: Viewport, aroundMs: number, factor: number): Viewport {
  const from = aroundMs - (aroundMs - view.fromMs) * factor;
  const to = aroundMs + (view.toMs - aroundMs) * factor;
  return clampView(whole, from, to);
}

/** Moves the view by a share of its length. */
export function panView(whole: Viewport, view: Viewport, share: number): Viewport {
  const by = (view.toMs - view.fromMs) * share;
  const room = by < 0 ? whole.fromMs - view.fromMs : whole.toMs - view.toMs;
  const kept = by < 0 ? Math.max(by, room) : Math.min(by, room);
  return clampView(whole, view.fromMs + kept, view.toMs + kept);
}

/** The view around a stretch of time, with room on both sides. */
export function focusView(whole: Viewport, fromMs: number, toMs: number): Viewport {
  const room = Math.max((toMs - fromMs) * 0.6, (whole.toMs - whole.fromMs) / 400);
  return clampView(whole, fromMs - room, toMs + room);
}
