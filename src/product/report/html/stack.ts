import { type Chart, type ChartFrame, renderChart } from "./chart.ts";
import { html, type Markup } from "./markup.ts";
import { drawPlot } from "./plot.ts";

/** Charts under one time axis. `isFolded` ones are opened by the reader. */
export interface ChartGroup {
  readonly charts: readonly Chart[];
  /** Shown while they are folded. */
  readonly foldedTitle?: string;
}

const OVERVIEW_HEIGHT = 44;

/**
 * Charts that zoom and pan together, with the controls and a strip of the whole time above them.
 *
 * @param overview drawn in the strip, whole
 */
export function renderStack(groups: readonly ChartGroup[], frame: ChartFrame, overview: Chart): Markup {
  let id = 0;
  const drawn = groups.map(({ charts, foldedTitle }) => {
    const figures = charts.map((chart) => renderChart(chart, frame, id++));
    return foldedTitle === undefined
      ? html`${figures}`
      : html`<details class="folded"><summary>${foldedTitle}</summary>${figures}</details>`;
  });
  return html`<div class="stack">${renderControls(frame, overview)}${drawn}</div>`;
}

function renderControls(frame: ChartFrame, overview: Chart): Markup {
  const line = overview.lines.at(-1);
  const { fromMs, toMs } = frame;
  const chart: Chart = {
    title: overview.title,
    height: OVERVIEW_HEIGHT,
    lines: line === undefined ? [] : [{ ...line, shape: "area" }],
    suffix: "",
    digits: overview.digits,
  };
  const view = { fromMs, toMs, width: 1_000, height: OVERVIEW_HEIGHT, isLog: false, grain: 3, band: null };
  return html`<div class="controls" hidden>
<div class="controls-row"><output class="range" aria-live="polite"></output>
<span class="spans" role="group" aria-label="Length of the view"></span>
<span class="zooms"><button type="button" data-do="in" aria-label="Zoom in" title="Zoom in (+)">+</button><button type="button" data-do="out" aria-label="Zoom out" title="Zoom out (−)">−</button><button type="button" data-do="reset" title="Whole run (0, or double click)">Reset</button></span></div>
<div class="strip" aria-hidden="true"><svg viewBox="0 0 1000 ${OVERVIEW_HEIGHT}" preserveAspectRatio="none">${drawPlot(chart, { ...frame, events: [] }, view).svg}</svg><div class="window"><i class="grip from"></i><i class="grip to"></i></div></div>
<p class="hint">Drag to zoom, shift and drag to pan, double click for the whole run. Keys: <kbd>←</kbd> <kbd>→</kbd> cursor, with <kbd>shift</kbd> pan, <kbd>+</kbd> <kbd>−</kbd> zoom, <kbd>0</kbd> reset, <kbd>l</kbd> log scale, <kbd>t</kbd> colours.</p></div>`;
}
