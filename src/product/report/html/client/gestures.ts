import { clampView, panView, zoomView } from "../viewport.ts";
import { type ChartStack, toView } from "./chartStack.ts";

/** Shorter drags are clicks. */
const DRAG_LEAST = 5;

/** Mouse and fingers on a plot: drag to zoom, shift and drag to pan, pinch, wheel, double click. */
export function startGestures(plot: HTMLElement, stack: ChartStack): void {
  const drag = plot.querySelector<HTMLElement>(".drag")!;
  const pointers = new Map<number, number>();
  let begun: { x: number; fromMs: number; toMs: number; isPan: boolean; isTouch: boolean } | null = null;
  const shareAt = (clientX: number) => {
    const box = plot.getBoundingClientRect();
    return Math.min(1, Math.max(0, (clientX - box.left) / (box.width || 1)));
  };
  const timeAt = (clientX: number) => {
    const { fromMs, toMs } = stack.view;
    return fromMs + shareAt(clientX) * (toMs - fromMs);
  };
  const end = () => {
    begun = null;
    drag.hidden = true;
  };

  plot.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    pointers.set(event.pointerId, event.clientX);
    plot.setPointerCapture(event.pointerId);
    const isTouch = event.pointerType === "touch";
    begun = { x: event.clientX, ...stack.view, isPan: event.shiftKey || isTouch, isTouch };
    if (!isTouch) event.preventDefault();
  });
  plot.addEventListener("pointermove", (event) => {
    const before = pointers.get(event.pointerId);
    if (pointers.size === 2 && before !== undefined) {
      const other = [...pointers].find(([id]) => id !== event.pointerId)![1];
      const [wasApart, isApart] = [Math.abs(before - other), Math.abs(event.clientX - other)];
      pointers.set(event.pointerId, event.clientX);
      if (isApart > 0 && wasApart > 0)
        stack.setView(zoomView(stack.whole, stack.view, timeAt((event.clientX + other) / 2), wasApart / isApart));
      return;
    }
    stack.setCursor(timeAt(event.clientX), plot);
    if (begun === null || before === undefined) return;
    const moved = event.clientX - begun.x;
    if (begun.isPan) {
      const span = begun.toMs - begun.fromMs;
      stack.setView(panView(stack.whole, { fromMs: begun.fromMs, toMs: begun.toMs }, -(moved / plot.clientWidth)));
      if (span < stack.whole.toMs - stack.whole.fromMs && !begun.isTouch) event.preventDefault();
      return;
    }
    const [a, b] = [shareAt(begun.x), shareAt(event.clientX)];
    drag.hidden = Math.abs(moved) < DRAG_LEAST;
    drag.style.left = `${Math.min(a, b) * 100}%`;
    drag.style.width = `${Math.abs(a - b) * 100}%`;
  });
  plot.addEventListener("pointerup", (event) => {
    pointers.delete(event.pointerId);
    if (begun !== null && !begun.isPan && Math.abs(event.clientX - begun.x) >= DRAG_LEAST)
      stack.setView(toView(stack, timeAt(begun.x), timeAt(event.clientX)), null);
    end();
  });
  plot.addEventListener("pointercancel", (event) => {
    pointers.delete(event.pointerId);
    end();
  });
  plot.addEventListener("pointerleave", () => {
    if (begun === null) stack.setCursor(null);
  });
  plot.addEventListener("dblclick", () => stack.setView(stack.whole, null));
  plot.addEventListener(
    "wheel",
    (event) => {
      const isSideways = event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY);
      if (!event.ctrlKey && !event.metaKey && !isSideways) return;
      event.preventDefault();
      const way = isSideways && event.deltaX !== 0 ? event.deltaX : event.deltaY;
      if (isSideways) stack.setView(panView(stack.whole, stack.view, way / 1_000));
      else stack.setView(zoomView(stack.whole, stack.view, timeAt(event.clientX), 1.0015 ** way));
    },
    { passive: false },
  );
}

/** The strip of the whole time: its window is dragged, resized at its ends, or drawn from scratch. */
export function startStrip(strip: HTMLElement, stack: ChartStack): void {
  const frame = strip.querySelector<HTMLElement>(".window")!;
  const { whole } = stack;
  const span = whole.toMs - whole.fromMs;
  let begun: { part: "from" | "to" | "whole" | "new"; atMs: number; fromMs: number; toMs: number } | null = null;
  const timeAt = (clientX: number) => {
    const box = strip.getBoundingClientRect();
    return whole.fromMs + Math.min(1, Math.max(0, (clientX - box.left) / (box.width || 1))) * span;
  };
  strip.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    strip.setPointerCapture(event.pointerId);
    const { classList } = event.target as Element;
    const isWhole = stack.view.toMs - stack.view.fromMs >= span;
    const part = classList.contains("from")
      ? "from"
      : classList.contains("to")
        ? "to"
        : classList.contains("window") && !isWhole
          ? "whole"
          : "new";
    begun = { part, atMs: timeAt(event.clientX), ...stack.view };
    event.preventDefault();
  });
  strip.addEventListener("pointermove", (event) => {
    if (begun === null) return;
    const timeMs = timeAt(event.clientX);
    const by = timeMs - begun.atMs;
    if (begun.part === "from") stack.setView(clampView(whole, Math.min(timeMs, begun.toMs), begun.toMs));
    else if (begun.part === "to") stack.setView(clampView(whole, begun.fromMs, Math.max(timeMs, begun.fromMs)));
    else if (begun.part === "whole") stack.setView(panView(whole, begun, by / (begun.toMs - begun.fromMs)));
    else if (Math.abs(by) > span / 200) stack.setView(toView(stack, begun.atMs, timeMs), null);
  });
  const end = () => {
    begun = null;
  };
  strip.addEventListener("pointerup", end);
  strip.addEventListener("pointercancel", end);
  strip.addEventListener("dblclick", () => stack.setView(whole, null));
  stack.onChange(() => {
    const { fromMs, toMs } = stack.view;
    frame.style.left = `${((fromMs - whole.fromMs) / span) * 100}%`;
    frame.style.width = `${((toMs - fromMs) / span) * 100}%`;
  });
}
