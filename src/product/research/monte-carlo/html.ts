import { countOf } from "../../../ground/math/counts.ts";
import type { Chart, ChartFrame } from "../../report/html/chart.ts";
import { renderCommand } from "../../report/html/command.ts";
import { html, type Markup, toMinus } from "../../report/html/markup.ts";
import { renderPage } from "../../report/html/page.ts";
import { renderStack } from "../../report/html/stack.ts";
import { formatPercent } from "../../report/text/numbers.ts";
import { formatTime } from "../../report/text/times.ts";
import { FAN_SHARES } from "./chunk.ts";
import { describeMethod, listQuantiles, listShares, METHOD_NAMES } from "./describe.ts";
import { type MethodReport, type MonteCarloReport, OUTCOME_SHARES } from "./model.ts";

const DAY_MS = 86_400_000;

/** A Monte Carlo simulation as one HTML file. */
export function renderMonteCarloHtml(report: MonteCarloReport, command: string): string {
  const { run, methods, skipped, paths } = report;
  const blocks = methods.find(({ method }) => method === "blocks");
  const frame: ChartFrame | undefined =
    blocks === undefined ? undefined : { fromMs: run.startMs, toMs: run.startMs + blocks.steps * DAY_MS, events: [] };
  const charts = blocks === undefined ? [] : [fanChart(report, blocks)];
  const first = methods[0];
  return renderPage({
    title: `${run.strategy}, ${run.markets.join(", ")}: Monte Carlo`,
    footer:
      "perplab. All times are UTC. Paths and the run next to them are measured at the end of days or round trips. " +
      "The report of the run measures its drawdown at every block, so it may be deeper there.",
    bar: {
      name: `${run.strategy}, Monte Carlo`,
      figures:
        first === undefined
          ? []
          : listShares(first, report).map(({ label, value }) => ({ label, value: value.replace(/ \(.*/, "") })),
      sections: [...methods.map(({ method }) => [method, METHOD_NAMES[method]] as const), ["run", "Run again"]],
    },
    charts,
    ...(frame === undefined ? {} : { frame }),
    body: html`<header><p class="eyebrow">Monte Carlo</p><h1>${run.strategy}</h1>
<p class="sub facts"><span>${run.markets.join(", ")}</span><span>${formatSecond(run.startMs)} to ${formatSecond(run.endMs)} UTC</span><span>${countOf(paths, "path")} a method</span><span>seed ${report.seed}</span></p>
${skipped.length > 0 && html`<ul class="notices">${skipped.map(({ method, reason }) => html`<li class="warning">${METHOD_NAMES[method]}: not possible, ${reason}.</li>`)}</ul>`}</header>
${methods.map((method) => renderMethod(report, method, frame === undefined ? null : renderStack([{ charts }], frame, charts[0]!)))}
<section id="run"><h2>Run again</h2>${renderCommand(command)}<p class="sub">The run: <code>${run.command}</code>, state root <code class="hash">${run.stateRoot}</code></p></section>`,
  });
}

const formatSecond = (timeMs: number) => formatTime(Math.floor(timeMs / 1_000) * 1_000);

function renderMethod(report: MonteCarloReport, method: MethodReport, fan: Markup | null): Markup {
  const head = OUTCOME_SHARES.map((share) => html`<th class="n">${formatPercent(share, 0)}</th>`);
  const rows = listQuantiles(method).map(
    ({ label, recorded, quantiles }) =>
      html`<tr><th>${label}</th><td class="n">${toMinus(recorded)}</td>${quantiles.map((text) => html`<td class="n">${toMinus(text)}</td>`)}</tr>`,
  );
  return html`<section id="${method.method}"><h2>${METHOD_NAMES[method.method]}</h2><p class="lede">${describeMethod(method)}</p>
<dl class="kpis three">${listShares(method, report).map(({ label, value, meaning }) => html`<div><dt>${label}</dt><dd class="value">${value.replace(/ \(.*/, "")}</dd><dd class="detail">${value.replace(/^[^(]*\(/, "95 % interval ").replace(")", "")}. ${meaning}</dd></div>`)}</dl>
${method.method === "blocks" && fan}
<div class="scroll"><table><thead><tr><th>Quantiles of the paths</th><th class="n">the run</th>${head}</tr></thead><tbody>${rows}</tbody></table></div></section>`;
}

/** Quantiles of equity over the days of a path, laid over the time of the run. */
function fanChart({ run }: MonteCarloReport, { fan }: MethodReport): Chart {
  const times = [run.startMs, ...fan.map(({ step }) => run.startMs + step * DAY_MS)];
  const tones = ["c5", "c3", "equity", "c3", "c5"] as const;
  return {
    title: "Equity of the paths",
    note: "1 is the start; quantiles of all paths after as many days",
    height: 300,
    suffix: "",
    digits: 3,
    include: [1],
    canLog: fan.every(({ equity }) => equity[0]! > 0),
    lines: FAN_SHARES.map((share, place) => ({
      label: formatPercent(share, 0),
      tone: tones[place]!,
      shape: "line",
      times,
      values: [1, ...fan.map(({ equity }) => equity[place]!)],
    })),
  };
}
