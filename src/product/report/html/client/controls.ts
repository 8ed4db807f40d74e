import { formatDuration, formatTime } from "../../text/times.ts";
import { clampView, zoomView } from "../viewport.ts";
import type { ChartStack } from "./chartStack.ts";
import { startStrip } from "./gestures.ts";

const HOUR_MS = 3_600_000;
const SPANS = [
  ["1 h", HOUR_MS],
  ["1 d", 24 * HOUR_MS],
  ["1 w", 168 * HOUR_MS],
  ["1 m", 730 * HOUR_MS],
  ["3 m", 2_190 * HOUR_MS],
  ["1 y", 8_760 * HOUR_MS],
] as const;

/** The controls above the charts: the range, lengths of the view, zoom and the strip. */
export function startControls(element: HTMLElement, stack: ChartStack): void {
  const { whole } = stack;
  const range = element.querySelector(".range")!;
  const reset = element.querySelector<HTMLButtonElement>("[data-do=reset]")!;
  const spans = element.querySelector(".spans")!;
  const zoom = (factor: number) => {
    const { fromMs, toMs } = stack.view;
    stack.setView(zoomView(whole, stack.view, (fromMs + toMs) / 2, factor));
  };
  element.querySelector("[data-do=in]")!.addEventListener("click", () => zoom(0.5));
  element.querySelector("[data-do=out]")!.addEventListener("click", () => zoom(2));
  reset.addEventListener("click", () => stack.setView(whole, null));
  const buttons = SPANS.filter(([, ms]) => ms < whole.toMs - whole.fromMs)
    .slice(-4)
    .map(([label, ms]) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = label;
      button.addEventListener("click", () => {
        const { fromMs, toMs } = stack.view;
        const isWhole = toMs - fromMs >= whole.toMs - whole.fromMs;
        const middle = isWhole ? whole.toMs - ms / 2 : (fromMs + toMs) / 2;
        stack.setView(clampView(whole, middle - ms / 2, middle + ms / 2));
      });
      spans.append(button);
      return { button, ms };
    });
  stack.onChange(() => {
    const { fromMs, toMs } = stack.view;
    const minute = (timeMs: number) => formatTime(Math.round(timeMs / 60_000) * 60_000);
    range.textContent = `${minute(fromMs)} to ${minute(toMs)} UTC · ${formatDuration(Math.round(toMs - fromMs))}`;
    reset.disabled = toMs - fromMs >= whole.toMs - whole.fromMs;
    for (const { button, ms } of buttons)
      button.setAttribute("aria-pressed", String(Math.abs(toMs - fromMs - ms) < ms / 100));
  });
  startStrip(element.querySelector<HTMLElement>(".strip")!, stack);
  element.hidden = false;
}
