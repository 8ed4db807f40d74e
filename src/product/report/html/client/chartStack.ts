import { clampView, type Viewport } from "../viewport.ts";

/** Changes that controls and gestures may make to all charts. */
export interface ChartStack {
  readonly whole: Viewport;
  readonly view: Viewport;
  setView(view: Viewport, band?: readonly [number, number] | null): void;
  /** Moves the crosshair; null takes it away. */
  setCursor(timeMs: number | null, plot?: HTMLElement): void;
  onChange(listener: () => void): void;
}

/** The view between two requested times, for gestures. */
export function toView(stack: ChartStack, a: number, b: number): Viewport {
  return clampView(stack.whole, Math.min(a, b), Math.max(a, b));
}
