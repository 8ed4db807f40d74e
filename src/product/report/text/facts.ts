import { countOf, formatCount } from "../../../ground/math/counts.ts";
import type { BacktestReport, Fidelity } from "../model.ts";
import { formatBytes, formatNumber, formatPercent } from "./numbers.ts";
import { formatDuration, formatTime } from "./times.ts";

/** A name and its value. */
export type Fact = readonly [name: string, value: string];

/** Driver settings as every text format prints them. */
export function getDriverFacts({ run }: BacktestReport): Fact[] {
  const { driver } = run;
  const facts: Fact[] = [
    ["fidelity", formatFidelity(driver.fidelity)],
    ["mark", driver.markSource],
    ["funding", driver.fundingSource],
    ["blocks", driver.blockCadence],
    ["latency", formatLatency(driver)],
    ["leverage", driver.leverage === null ? "set by the strategy" : `${driver.leverage}x`],
    ["fees", `maker ${formatRate(driver.makerFee)}, taker ${formatRate(driver.takerFee)}`],
  ];
  if (driver.spreadTicks !== null)
    facts.push(["spread", `${driver.spreadTicks} ${driver.spreadTicks === 1 ? "tick" : "ticks"}`]);
  if (driver.participation !== null) facts.push(["participation", formatRate(driver.participation)]);
  if (driver.impact !== null) facts.push(["impact", driver.impact]);
  facts.push(["signatures", driver.signatures], ["seed", driver.seed ?? "by strategy"]);
  for (const { name, value } of driver.other) facts.push([name, value]);
  return facts;
}

const FIDELITIES: Readonly<Record<Fidelity, string>> = {
  bars: "bars",
  trades: "trades",
  topOfBook: "top of book",
  orderBook: "order book",
};

function formatLatency({ latency, latencyMs }: BacktestReport["run"]["driver"]): string {
  if (latency === null) return "by strategy";
  return latencyMs === null ? latency : `${latencyMs} ms`;
}

/** What markets were replayed from, by market where that differs. */
function formatFidelity(markets: BacktestReport["run"]["driver"]["fidelity"]): string {
  const names = [...new Set(markets.map(({ data }) => FIDELITIES[data]))];
  if (names.length < 2) return names.join("");
  return markets.map(({ market, data }) => `${market}: ${FIDELITIES[data]}`).join("; ");
}

/** Decimal text of a fraction as a percentage without padding: "0.0005" -> "0.05 %". */
function formatRate(text: string): string {
  return `${Number((Number(text) * 100).toFixed(6))} %`;
}

/** What identifies a run exactly. */
export function getIdentityFacts({ run }: BacktestReport): Fact[] {
  const { engine } = run;
  return [
    ["protocol version", engine.protocolVersion],
    ["genesis hash", engine.genesisHash],
    ["final state root", engine.stateRoot],
    ["effects chain", engine.effectsHead],
    ["blocks", formatCount(engine.blocks)],
    ["transactions", formatCount(engine.transactions)],
  ];
}

/** How long this machine took: the only facts that two equal runs do not share. */
export function getPerformanceFacts({ run }: BacktestReport): Fact[] {
  const { wallMs, peakMemoryBytes } = run.performance;
  const rate = wallMs === 0 ? 0 : (run.engine.blocks / wallMs) * 1_000;
  return [
    ["wall time", formatDuration(Math.round(wallMs))],
    ["blocks per second", formatNumber(rate, 0)],
    ["peak memory", formatBytes(peakMemoryBytes)],
  ];
}

/** Strategy parameters as "name = value". */
export function getParameterFacts({ run }: BacktestReport): Fact[] {
  return Object.entries(run.strategy.params).map(([name, value]) => [name, String(value)]);
}

/** "2020-01-01 00:00 to 2020-07-19 00:00 UTC". */
export function formatPeriod({ run }: BacktestReport): string {
  return `${formatTime(run.startMs)} to ${formatTime(run.endMs)} UTC`;
}

/** What a reader must not miss, most serious first. */
export function getWarnings(report: BacktestReport): { readonly level: "error" | "warning"; readonly text: string }[] {
  const warnings: { level: "error" | "warning"; text: string }[] = [];
  const { stopped, notices } = report.run;
  if (stopped !== null) warnings.push({ level: "error", text: stopped.text });
  for (const { report: one } of report.strategies) {
    if (one.run.stopped !== null) warnings.push({ level: "error", text: one.run.stopped.text });
  }
  const { residual } = report.attribution;
  if (residual !== "0") {
    warnings.push({
      level: "error",
      text: `PnL attribution leaves a residual of ${residual} USD: an event is missing from the recorded run. Report this as a fault of perplab.`,
    });
  }
  const first = report.liquidations.kept[0];
  if (first !== undefined) {
    const { total } = report.liquidations;
    const times = total === 1 ? "once, on" : `${formatCount(total)} times, first on`;
    warnings.push({ level: "warning", text: `Liquidated ${times} ${formatTime(first.timeMs)} UTC (${first.market}).` });
  }
  warnings.push(...getOrderWarnings(report));
  for (const text of notices) warnings.push({ level: "warning", text });
  const findings = report.run.data.reduce((sum, file) => sum + file.findings.reduce((n, { count }) => n + count, 0), 0);
  if (findings > 0) {
    warnings.push({
      level: "warning",
      text: `The data has ${formatCount(findings)} ${findings === 1 ? "defect" : "defects"}; see data quality.`,
    });
  }
  return warnings;
}

/** Share of refused orders from which a report warns. */
const REFUSED_MOST = 0.2;

/** Orders and amendments that the strategy sent. */
export function countSent({ orders }: BacktestReport): number {
  return orders.placed + orders.amended + orders.refused;
}

/** Whether the strategy traded at all, and whether its orders were taken. */
function getOrderWarnings(report: BacktestReport): { readonly level: "warning"; readonly text: string }[] {
  const { orders, rejections, fills } = report;
  const sent = countSent(report);
  const texts: string[] = [];
  if (fills.total === 0) {
    const end = sent === 0 ? "the strategy sent no order." : `none of ${countOf(sent, "order")} was filled.`;
    texts.push(`The run never traded: ${end}`);
  }
  if (orders.refused > sent * REFUSED_MOST) {
    const codes = rejections.filter(({ share }) => share !== null).map(({ code }) => code);
    const shown = codes.length > 3 ? [...codes.slice(0, 3), "others"] : codes;
    texts.push(
      `${formatPercent(orders.refused / sent)} of all orders were refused ` +
        `(${formatCount(orders.refused)} of ${formatCount(sent)}): ${shown.join(", ")}.`,
    );
  }
  return texts.map((text) => ({ level: "warning", text }));
}
