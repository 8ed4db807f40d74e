import { formatCount } from "../../../ground/math/counts.ts";
import type { MetricId } from "../metrics/definitions.ts";
import { getMetricDefinition } from "../metrics/definitions.ts";
import type { BacktestReport } from "../model.ts";
import { formatPeriod, getParameterFacts, getWarnings } from "../text/facts.ts";
import { formatMetric, formatReason, getMetric, getMetricRows, metricGroups } from "../text/metrics.ts";
import { formatSignedPercent, formatSignedUsd, formatUsd, negate } from "../text/numbers.ts";
import { formatDate, formatDuration } from "../text/times.ts";
import { html, type Markup, toMinus } from "./markup.ts";
import type { BarFigure } from "./page.ts";

/** Name, period, parameters, and warnings. */
export function renderHeader(report: BacktestReport): Markup {
  const { run } = report;
  const { leverage } = run.driver;
  const { strategies } = report;
  const facts = [
    strategies.length > 0 ? `${strategies.length} strategies` : null,
    (strategies[0]?.report.run.markets ?? run.markets).join(", "),
    formatPeriod(report),
    formatDuration(run.endMs - run.startMs),
    leverage === null ? null : `${leverage}x leverage`,
  ].filter((fact) => fact !== null);
  const parameters = getParameterFacts(report);
  const warnings = getWarnings(report);
  return html`<header>
<p class="eyebrow">Backtest report</p>
<h1>${run.strategy.id}</h1>
<p class="sub facts">${facts.map((fact) => html`<span>${fact}</span>`)}</p>
${parameters.length > 0 && html`<ul class="chips">${parameters.map(([name, value]) => html`<li>${name} <b>${value}</b></li>`)}</ul>`}
${warnings.length > 0 && html`<ul class="notices">${warnings.map(({ level, text }) => html`<li class="${level}">${text}</li>`)}</ul>`}
</header>
`;
}

/** A name whose meaning appears on hover and focus. */
function renderTerm(name: string, meaning?: string): Markup {
  return meaning === undefined
    ? html`${name}`
    : html`<span class="term" tabindex="0">${name}<span class="tip" role="tooltip">${meaning}</span></span>`;
}

/** The figures of the bar that stays in view. */
export function getBarFigures(report: BacktestReport): BarFigure[] {
  const total = getMetric(report, "totalReturn");
  const value = typeof total.value === "number" ? total.value : 0;
  return [
    {
      label: "Return",
      value: toMinus(typeof total.value === "number" ? formatSignedPercent(total.value) : "n/a"),
      tone: tone(value),
    },
    { label: "Max drawdown", value: formatMetric(getMetric(report, "maxDrawdown")) },
    { label: "Sharpe", value: toMinus(formatMetric(getMetric(report, "sharpe"))) },
    {
      label: "Liquidations",
      value: formatCount(report.liquidations.total),
      tone: report.liquidations.total > 0 ? "pain" : "",
    },
    { label: "Final equity", value: `${toMinus(formatUsd(report.summary.finalEquity))} USD` },
  ];
}

const tone = (value: number) => (value > 0 ? "gain" : value < 0 ? "pain" : "none");

/** The numbers that people look for first. */
export function renderKeyFigures(report: BacktestReport): Markup {
  const { summary, attribution } = report;
  const tile = (label: string, value: string, detail: string, className = "", meaning?: string) =>
    html`<div><dt>${renderTerm(label, meaning)}</dt><dd class="value ${className}">${toMinus(value)}</dd><dd class="detail">${toMinus(detail)}</dd></div>`;
  const metricTile = (id: MetricId, detail: string) => {
    const metric = getMetric(report, id);
    const { label, definition } = getMetricDefinition(id);
    if (metric.reason !== undefined) return tile(label, "n/a", formatReason(metric.reason), "none", definition);
    return tile(label, formatMetric(metric), detail, "", definition);
  };
  const returnTile = (id: MetricId, detail: string) => {
    const metric = getMetric(report, id);
    if (typeof metric.value !== "number") return metricTile(id, detail);
    const { label, definition } = getMetricDefinition(id);
    const className = id === "totalReturn" ? tone(metric.value) : "";
    return tile(label, formatSignedPercent(metric.value), detail, className, definition);
  };
  const worst = summary.maxDrawdown;
  const fees = getMetric(report, "liquidationFees").value;
  const winRate = getMetric(report, "winRate");
  const liquidated = getMetric(report, "liquidationNotional");
  return html`<dl class="kpis">
${returnTile("totalReturn", `${formatUsd(summary.initialEquity)} to ${formatUsd(summary.finalEquity)} USD`)}
${returnTile("buyAndHoldReturn", `max drawdown ${formatMetric(getMetric(report, "buyAndHoldMaxDrawdown"))}`)}
${metricTile("maxDrawdown", worst === null ? "never below a peak" : `${formatDate(worst.peakMs)} to ${formatDate(worst.troughMs)}`)}
${metricTile("sharpe", `Sortino ${formatMetric(getMetric(report, "sortino"))}, 365 days, rf 0`)}
${tile("Funding", toAmount(attribution.funding), `received ${formatMetric(getMetric(report, "fundingReceived"))}, paid ${formatMetric(getMetric(report, "fundingPaid"))} USD`)}
${tile("Fees", toAmount(negate(attribution.fees)), fees === "0" ? "USD, maker and taker" : `USD, and ${formatUsd(String(fees))} for liquidations`)}
${tile("Liquidations", formatCount(report.liquidations.total), report.liquidations.total === 0 ? `peak margin ratio ${formatMetric(getMetric(report, "peakMarginRatio"))}` : `${formatMetric(liquidated)} USD liquidated`, report.liquidations.total > 0 ? "pain" : "")}
${tile("Round trips", formatMetric(getMetric(report, "roundTrips")), winRate.reason === undefined ? `${formatMetric(winRate)} won` : formatReason(winRate.reason))}
</dl>
`;
}

const toAmount = (text: string) => formatSignedUsd(text);

/** Causes of the result as bars around zero, and their exact sum. */
export function renderAttribution({ attribution }: Pick<BacktestReport, "attribution">, id = "result"): Markup {
  const parts = [
    ["Price", attribution.price],
    ["Funding", attribution.funding],
    ["Fees", negate(attribution.fees)],
    ["Liquidation", negate(attribution.liquidation)],
  ] as const;
  const all = [...parts.map(([, text]) => Number(text)), Number(attribution.total)];
  const low = Math.min(0, ...all);
  const range = Math.max(0, ...all) - low || 1;
  const bar = (text: string) => {
    const value = Number(text);
    const from = ((Math.min(0, value) - low) / range) * 100;
    const width = (Math.abs(value) / range) * 100;
    const zero = ((0 - low) / range) * 100;
    return html`<td class="bar"><div class="share"><b style="left:${zero.toFixed(2)}%"></b>${value !== 0 && html`<i class="${value > 0 ? "up" : "down"}" style="left:${from.toFixed(2)}%;width:${width.toFixed(2)}%"></i>`}</div></td>`;
  };
  const exact = (text: string) => html`<td class="n">${toMinus(formatSignedUsd(text))}</td>`;
  const rows = parts.map(([name, text]) => html`<tr><th scope="row">${name}</th>${bar(text)}${exact(text)}</tr>`);
  const markets = attribution.markets.length > 1 && renderMarketAttribution(attribution.markets);
  return html`<section id="${id}"><h2>Where the result came from</h2>
<table><thead><tr><th>Cause</th><th></th><th class="n">USD</th></tr></thead><tbody>${rows}</tbody>
<tfoot><tr><th scope="row">Total</th>${bar(attribution.total)}${exact(attribution.total)}</tr></tfoot></table>
<p class="empty">Residual ${toMinus(attribution.residual)} USD: total less its causes, computed in units of 0.000001 USD.${attribution.transfers !== "0" && ` Transfers of ${toMinus(formatSignedUsd(attribution.transfers))} USD are not part of the result.`}</p>
${markets}</section>
`;
}

function renderMarketAttribution(markets: BacktestReport["attribution"]["markets"]): Markup {
  const cell = (text: string) => html`<td class="n">${toMinus(formatUsd(text))}</td>`;
  const rows = markets.map(
    (item) =>
      html`<tr><th scope="row">${item.market}</th>${cell(item.price)}${cell(item.funding)}${cell(negate(item.fees))}${cell(negate(item.liquidationFees))}${cell(item.tradedValue)}</tr>`,
  );
  return html`<div class="scroll"><table><caption>By market</caption><thead><tr><th>Market</th><th class="n">Price</th><th class="n">Funding</th><th class="n">Fees</th><th class="n">Liquidation fees</th><th class="n">Traded value</th></tr></thead><tbody>${rows}</tbody></table></div>`;
}

/**
 * Every metric, and below them the exact meaning of each.
 *
 * @param id of the section; one of a strategy of several leaves the meanings to that of all together
 */
export function renderMetrics(report: BacktestReport, id = "metrics"): Markup {
  const tables = metricGroups.map(({ group, title }) => {
    const rows = getMetricRows(report, group).map(
      ({ metric, label, definition, shown, note }) =>
        html`<tr class="has-tip"><th scope="row">${renderTerm(label, definition)}</th><td class="n${metric.value === null ? " none" : ""}">${toMinus(shown)}</td><td class="note">${note}</td></tr>`,
    );
    return html`<table><caption>${title}</caption><tbody>${rows}</tbody></table>`;
  });
  const definitions = report.summary.metrics.map((metric) => {
    const { label, definition } = getMetricDefinition(metric.id);
    return html`<dt>${label} <code>${metric.id}@${metric.version}</code></dt><dd>${definition}</dd>`;
  });
  return html`<section id="${id}"><h2>Metrics</h2><div class="columns">${tables}</div>
${id === "metrics" && html`<details><summary>How each metric is defined</summary><dl>${definitions}</dl></details>`}</section>
`;
}
