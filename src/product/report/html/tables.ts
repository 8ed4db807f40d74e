import { countOf, formatCount } from "../../../ground/math/counts.ts";
import type { BacktestReport, ReportLiquidation } from "../model.ts";
import { type Fact, getDriverFacts, getIdentityFacts, getPerformanceFacts } from "../text/facts.ts";
import {
  formatNumber,
  formatPercent,
  formatSignedPercent,
  formatSignedUsd,
  formatUsd,
  groupThousands,
} from "../text/numbers.ts";
import { formatDate, formatTime } from "../text/times.ts";
import { renderCommand } from "./command.ts";
import { type DataTable, renderDataTable } from "./dataTable.ts";
import { toFileName } from "./fileName.ts";
import { html, type Markup, toMinus } from "./markup.ts";
import { alignPrices } from "./priceDigits.ts";

const usd = (text: string) => html`<td class="n">${toMinus(formatUsd(text))}</td>`;
const signed = (text: string) => html`<td class="n">${toMinus(formatSignedUsd(text))}</td>`;
const plain = (text: string) => html`<td class="n">${toMinus(groupThousands(text))}</td>`;

/** Most liquidations and rows of a long list that the page shows; the JSON report has what was kept. */
const LIQUIDATIONS_SHOWN = 50;
/** Places among the tables of the page. */
export const FILL_TABLE = 0;
export const TRIP_TABLE = 1;
const ROWS_SHOWN = 200;

/** "Showing 200 of 5,000."; left out when all are shown. */
function renderShown(shown: number, total: number): Markup | false {
  return shown < total && html`<p class="empty">Showing ${formatCount(shown)} of ${formatCount(total)}.</p>`;
}

/** Each liquidation, opened to its explanation: why, at which price, how it was closed, and who paid. */
export function renderLiquidations({ liquidations }: BacktestReport, id = "liquidations"): Markup {
  const shown = liquidations.kept.slice(0, LIQUIDATIONS_SHOWN);
  const body =
    shown.length === 0
      ? html`<p class="empty">None: equity never fell below the maintenance margin.</p>`
      : html`<p class="lede">An account is liquidated when its equity at the mark falls below its maintenance margin.</p>
${shown.map((item, i) => renderLiquidation(item, i === 0))}${renderShown(shown.length, liquidations.total)}`;
  return html`<section id="${id}"><h2>Liquidations</h2>${body}</section>
`;
}

function renderLiquidation(item: ReportLiquidation, isOpen: boolean): Markup {
  const rows = item.fills.map(
    (fill) =>
      html`<tr><td>${formatTime(fill.timeMs)}</td><td>${fill.kind}</td>${plain(fill.size)}${plain(fill.price)}${usd(fill.value)}${usd(fill.fee)}</tr>`,
  );
  const fromMs = item.timeMs;
  const toMs = Math.max(fromMs, ...item.fills.map(({ timeMs }) => timeMs));
  return html`<details class="liq"${isOpen && html` open`}><summary><h3>${formatTime(item.timeMs)} UTC, ${item.side} ${groupThousands(item.size)} ${item.market}</h3> at mark ${groupThousands(item.mark)}</summary>
${explainLiquidation(item)}
<p class="stages"><code>${item.id}</code>  ${item.stages.join(" → ")} <button type="button" data-from="${fromMs}" data-to="${toMs}" hidden>Show in the charts</button></p>
${rows.length > 0 && html`<div class="scroll"><table><thead><tr><th>Time (UTC)</th><th>Closed by</th><th class="n">Size, base</th><th class="n">Price, USD</th><th class="n">Value, USD</th><th class="n">Fee, USD</th></tr></thead><tbody>${rows}</tbody></table></div>`}</details>
`;
}

/** The numbers of a liquidation as steps. Ratios are for reading; amounts are exact. */
function explainLiquidation(item: ReportLiquidation): Markup {
  const value = Number(item.size) * Number(item.mark);
  const rate = value === 0 ? null : Number(item.maintenance) / value;
  const closed = item.fills.reduce((sum, fill) => sum + Number(fill.size), 0);
  const closedValue = item.fills.reduce((sum, fill) => sum + Number(fill.value), 0);
  const fees = item.fills.reduce((sum, fill) => sum + Number(fill.fee), 0);
  const mean = closed === 0 ? null : closedValue / closed;
  const away = mean === null || Number(item.mark) === 0 ? null : mean / Number(item.mark) - 1;
  const money = (number: number) => formatNumber(number, 2);
  const isShort = Number(item.equity) < 0;
  const steps = [
    html`The ${item.side} position of <b>${groupThousands(item.size)}</b> was worth <b>${money(value)} USD</b> at the mark of ${groupThousands(item.mark)} USD.`,
    html`The account needed <b>${formatUsd(item.maintenance)} USD</b> of maintenance margin${rate !== null && html`, ${formatPercent(rate)} of that value`}.`,
    html`Its equity was <b>${toMinus(formatUsd(item.equity))} USD</b>, ${money(Number(item.maintenance) - Number(item.equity))} USD too little${isShort && html`: its losses were greater than its collateral`}.`,
    mean === null
      ? html`Nothing was closed before the run ended.`
      : html`The venue closed <b>${formatSize(closed)}</b> at a mean of <b>${toMinus(formatNumber(mean, 2))} USD</b>${away !== null && html`, ${toMinus(formatSignedPercent(away))} from the mark`}, for ${money(fees)} USD of liquidation fees.`,
    item.deficit === "0"
      ? html`The account covered all of its losses; the insurance fund changed by <b>${toMinus(formatSignedUsd(item.insuranceDelta))} USD</b>.`
      : html`<b>${formatUsd(item.deficit)} USD</b> of losses were not covered after the last close; the insurance fund changed by <b>${toMinus(formatSignedUsd(item.insuranceDelta))} USD</b>.`,
  ];
  return html`<ol class="steps">${steps.map((step) => html`<li>${step}</li>`)}</ol>`;
}

/** A sum of sizes, in full lots, without zeros at its end. */
const formatSize = (number: number) => formatNumber(number, 8).replace(/\.?0+$/, "");

/** Movements of the insurance fund; left out when there are none. */
export function renderInsurance({ insurance }: BacktestReport): Markup | false {
  if (insurance.kept.length === 0) return false;
  const shown = insurance.kept.slice(0, ROWS_SHOWN);
  const rows = shown.map(
    (item) =>
      html`<tr><td>${formatTime(item.timeMs)}</td><td>${item.cause}</td>${signed(item.amount)}${usd(item.balance)}</tr>`,
  );
  return html`<section><h2>Insurance fund</h2><div class="scroll"><table><thead><tr><th>Time (UTC)</th><th>Cause</th><th class="n">Amount, USD</th><th class="n">Balance, USD</th></tr></thead><tbody>${rows}</tbody></table></div>
${renderShown(shown.length, insurance.total)}</section>
`;
}

/** Orders sent by the strategy, rejections, and the fills. */
export function renderOrders(report: BacktestReport): Markup {
  const { orders, fills } = report;
  const counts = [
    ["Placed", orders.placed],
    ["Amended", orders.amended],
    ["Cancelled", orders.cancelled],
    ["Expired", orders.expired],
    ["Refused", orders.refused],
    ["Fills", fills.total],
  ] as const;
  return html`<section id="orders"><h2>Orders</h2><div class="columns"><div><table><caption>Sent and filled</caption><tbody>${counts.map(([name, count]) => html`<tr><th scope="row">${name}</th><td class="n">${formatCount(count)}</td></tr>`)}</tbody></table></div></div>
${renderRejections(report)}
${fills.total > 0 && html`<h3>Fills</h3>${renderDataTable(getFillTable(report), FILL_TABLE)}`}</section>
`;
}

/** Codes of rejections with how often. */
export function renderRejections({ rejections }: BacktestReport): Markup {
  if (rejections.length === 0) return html`<p class="empty">No transaction was refused.</p>`;
  return html`<div class="scroll"><table><caption>Rejections</caption><thead><tr><th>Code</th><th></th><th class="n">Count</th><th class="n">Of all orders</th><th>First (UTC)</th><th>Last (UTC)</th></tr></thead><tbody>${rejections.map((item) => html`<tr><td><code>${item.code}</code></td><td class="bar"><div class="share"><i class="warn" style="left:0;width:${((item.count / rejections[0]!.count) * 100).toFixed(1)}%"></i></div></td><td class="n">${formatCount(item.count)}</td><td class="n">${item.share === null ? "" : formatPercent(item.share)}</td><td class="when">${formatTime(item.firstMs)}</td><td class="when">${formatTime(item.lastMs)}</td></tr>`)}</tbody></table></div>`;
}

/** Rows of a table that the page carries. */
const ROWS_CARRIED = 2_000;

/** The fills, as many as the page carries. */
export function getFillTable(report: BacktestReport): DataTable {
  const { fills, run } = report;
  const stride = Math.max(1, Math.ceil(fills.kept.length / ROWS_CARRIED));
  return {
    name: `${toFileName(run.strategy.id)}-fills`,
    columns: [
      { key: "time", label: "Time", unit: "UTC", kind: "time" },
      { key: "market", label: "Market", kind: "text" },
      { key: "side", label: "Side", kind: "text" },
      { key: "size", label: "Size", unit: "base", kind: "decimal" },
      { key: "price", label: "Price", unit: "USD", kind: "decimal", ...alignPrices(report, fills.kept) },
      { key: "value", label: "Value", unit: "USD", kind: "decimal", digits: 2 },
      { key: "role", label: "Role", kind: "text" },
      { key: "fee", label: "Fee", unit: "USD", kind: "decimal", digits: 2 },
      { key: "realized", label: "Realized", unit: "USD", kind: "decimal", digits: 2, isSigned: true },
    ],
    rows: fills.kept
      .filter((_, i) => i % stride === 0)
      .map((fill) => [
        fill.timeMs,
        fill.market,
        fill.side,
        fill.size,
        fill.price,
        fill.value,
        fill.liquidationId === null ? fill.role : "liquidation",
        fill.fee,
        fill.realizedPnl,
      ]),
    total: fills.total,
    zoom: ["time", "time"],
    example: "sell 2024-03 value>10000",
  };
}

/** Each file with its range and its faults. */
export function renderData({ run }: BacktestReport): Markup {
  const range = (fromMs: number | null, toMs: number | null) =>
    fromMs === null || toMs === null ? "no rows" : `${formatDate(fromMs)} to ${formatDate(toMs)}`;
  const files = run.data.map((file) => {
    const findings = file.findings.map((finding) => {
      const place = [
        finding.line === null ? null : `line ${formatCount(finding.line)}`,
        finding.column === null ? null : finding.column,
      ].filter((part) => part !== null);
      return html`<tr><td><code>${finding.kind}</code></td><td class="n">${formatCount(finding.count)}</td><td>${place.join(", ")}</td><td>${finding.sample}</td></tr>`;
    });
    return html`<div class="liq"><h3>${file.name}</h3><p>${countOf(file.rows, "row")}, ${range(file.fromMs, file.toMs)}</p><p class="stages hash">sha256 <code>${file.sha256}</code></p>
${findings.length === 0 ? html`<p class="empty">No defects found.</p>` : html`<div class="scroll"><table><thead><tr><th>Defect</th><th class="n">Count</th><th>First at</th><th>Found</th></tr></thead><tbody>${findings}</tbody></table></div>`}</div>
`;
  });
  return html`<section id="quality"><h2>Data quality</h2>${files.length === 0 ? html`<p class="empty">The run read no files.</p>` : files}</section>
`;
}

/** The assumptions on which the numbers rest. */
export function renderAssumptions(report: BacktestReport): Markup {
  const { assumptions } = report.run;
  return html`<section><h2>Assumptions</h2>
${assumptions.length > 0 && html`<ul class="plain">${assumptions.map((sentence) => html`<li>${sentence}</li>`)}</ul>`}
<table><caption>Settings of the replay</caption><tbody>${renderFacts(getDriverFacts(report))}</tbody></table></section>
`;
}

function renderFacts(facts: readonly Fact[]): Markup[] {
  return facts.map(([name, value]) => html`<tr><th scope="row">${name}</th><td>${value}</td></tr>`);
}

/** The command that makes the run again, and the results that must be equal. */
export function renderReproduction(report: BacktestReport): Markup {
  const facts = getIdentityFacts(report).map(([name, value]) => {
    const shown = value.startsWith("0x") ? html`<code class="hash">${value}</code>` : html`${value}`;
    return html`<tr><th scope="row">${name}</th><td>${shown}</td></tr>`;
  });
  return html`<section id="run"><h2>Make this run again</h2>
${renderCommand(report.run.command)}
<p class="sub">The same command on the same files ends in the same state root on every machine.</p>
<table><tbody>${facts}</tbody></table>
<table><caption>This machine</caption><tbody>${renderFacts(getPerformanceFacts(report))}</tbody></table></section>
`;
}
