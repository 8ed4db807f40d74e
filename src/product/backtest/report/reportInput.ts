import { countOf, formatCount } from "../../../ground/math/counts.ts";
import { formatDecimal } from "../../../ground/math/decimal.ts";
import { AMOUNT_DECIMALS, PRICE_DECIMALS, SIZE_DECIMALS } from "../../../ground/math/fixed.ts";
import type { Bytes32 } from "../../../protocol/fields.ts";
import { computeGenesisHash } from "../../../venue/engine/state/genesisHash.ts";
import type { Driver, Finding, TapeManifest } from "../../market-data/types.ts";
import type { History } from "../../replay/history.ts";
import type { MarketDefinition } from "../../replay/marketDefinition.ts";
import { DEPTH_LEVELS, type MarketFlow } from "../../replay/marketFlow.ts";
import type { LeftOut, TradableStream } from "../../replay/tradable.ts";
import type { DataFileInput, DriverInput, ReportInput, StopInput } from "../../report/input.ts";
import type { Fidelity } from "../../report/model.ts";
import { formatUsd } from "../../report/text/numbers.ts";
import { formatTime } from "../../report/text/times.ts";
import type { BacktestOptions, PortfolioOptions, Settings } from "../options.ts";
import type { Replay } from "../replay.ts";
import { describeSeries } from "../series/describeSeries.ts";
import type { StrategySettings } from "../strategyOptions.ts";
import type { Trader } from "../trader.ts";
import { describeWarmUp, listShortWarmUps, type ReadWarmUp } from "../warmUp.ts";
import { listAssumptions } from "./assumptions.ts";
import { formatBacktestCommand } from "./command.ts";
import { type EndedLink, listLinkAssumptions, listLinkFacts } from "./linkFacts.ts";

/** A run that has ended, with what it was made of. */
export interface FinishedRun {
  readonly options: BacktestOptions | PortfolioOptions;
  readonly settings: Settings;
  readonly definitions: readonly MarketDefinition[];
  readonly stream: TradableStream;
  /** By strategy. */
  readonly warmUps: readonly (ReadWarmUp | undefined)[];
  readonly history: History;
  readonly replay: Replay;
  readonly root: Bytes32;
  readonly head: Bytes32;
  readonly wallMs: number;
  readonly peakMemoryBytes: number;
}

/**
 * Input of the report of one strategy.
 *
 * @param place of the strategy, by name
 */
export function createReportInput(run: FinishedRun, place: number): ReportInput {
  const { options, settings, history, replay, warmUps } = run;
  const { manifest } = options.data;
  const names = manifest.markets.map(({ name }) => name);
  const warmUp = warmUps[place];
  const trader = replay.traders[place]!;
  const { strategy, params } = trader.settings;
  return {
    ...describeRun(run),
    strategy: { id: settings.strategies.length === 1 ? strategy.id : trader.settings.name, params },
    driver: describeDriver(run, [trader.settings]),
    assumptions: [
      ...listLeftOut(run.stream),
      ...(warmUp === undefined ? [] : describeWarmUp(warmUp, names, "the strategy")),
      ...listAssumptions(settings, [trader.settings], manifest, run.definitions, history),
      ...describeSeries(trader.series, "the strategy"),
      ...listLinkAssumptions(endLink(run, place)),
    ],
    notices: [
      ...listLeftOut(run.stream, NOTICED_MS),
      ...(warmUp === undefined ? [] : listShortWarmUps(warmUp, names, "The strategy")),
      ...listMissingMarks(history.flows),
    ],
    stopped: describeStop(run, trader),
    ownMetrics: trader.notes.listOwnMetrics(),
    recording: trader.recorder.finish(),
  };
}

/** The connection of a strategy. @param place of the strategy, by name */
export function endLink({ history, replay, settings }: FinishedRun, place: number): EndedLink {
  const { refused, settings: own } = replay.traders[place]!;
  return {
    name: settings.strategies.length === 1 ? undefined : own.name,
    link: own.link,
    refused,
    fromMs: replay.genesis.timeMs + 1,
    toMs: history.instantMs,
  };
}

/** Input that the reports of all strategies of a run share, and that of all together. */
export function describeRun(run: FinishedRun) {
  const { options, settings, replay } = run;
  const { manifest } = options.data;
  return {
    data: manifest.sources.map((_, source) => describeSource(manifest, source, options.dataNames?.[source])),
    engine: {
      protocolVersion: String(replay.genesis.protocolVersion),
      genesisHash: computeGenesisHash(replay.genesis),
      stateRoot: run.root,
      effectsHead: run.head,
      blocks: replay.simulation.blocks,
      transactions: replay.simulation.transactions,
    },
    performance: { wallMs: run.wallMs, peakMemoryBytes: run.peakMemoryBytes },
    command: options.command ?? formatBacktestCommand(options, settings),
  };
}

/** Events that lie this far outside of what can be traded are a notice at the top. */
export const NOTICED_MS = 86_400_000;

/** Which events lie before the run, or after it, since no market can be traded there. */
export function listLeftOut({ openMs, before, after }: TradableStream, leastMs = 0): string[] {
  const sentences: string[] = [];
  if (before.count > 0 && openMs - before.fromMs >= leastMs) {
    sentences.push(
      `The run begins at ${formatTime(openMs)} UTC, when a market can first be traded. Left out: ` +
        `${describeRows(before)} from ${formatTime(before.fromMs)} UTC on.`,
    );
  }
  if (after.count > 0 && after.toMs - after.fromMs >= leastMs) {
    sentences.push(
      `The run ends with the last trade or bar. Left out: ${describeRows(after)} up to ${formatTime(after.toMs)} UTC.`,
    );
  }
  return sentences;
}

function describeRows({ count, kinds }: LeftOut): string {
  return `${countOf(count, "event")} (${kinds.join(", ")})`;
}

/** Why a strategy traded no more; null for one that traded until the end of the data. */
function describeStop({ options, replay }: FinishedRun, { stop, settings }: Trader): StopInput | null {
  const isAlone = replay.traders.length === 1;
  if (stop === undefined) return null;
  const { reason, height, timeMs } = stop;
  if (stop.reason === "strategyFailed") {
    const { place = "", message } = stop.failure;
    const covered = isAlone
      ? "The report covers the blocks up to this one."
      : "Its orders and its position stayed in the venue as it left them.";
    const text = `Stopped: ${message} (${place}). ${covered}`;
    return { reason, height, timeMs, text };
  }
  const endMs = Math.min(options.toMs ?? Number.POSITIVE_INFINITY, options.data.manifest.toMs);
  const rest = isAlone && endMs > timeMs ? ` Data up to ${formatTime(endMs)} UTC was not replayed.` : "";
  const who = isAlone ? "the account" : `the account of ${settings.name}`;
  const text =
    `Wiped out at block ${height} (${formatTime(timeMs)} UTC): ${who} has no position, and its equity of ` +
    `${formatUsd(stop.equity.toFixed(6))} USD is below the initial margin of the smallest order.${rest}`;
  return { reason, height, timeMs, text };
}

function describeSource({ sources, quality }: TapeManifest, place: number, name: string | undefined): DataFileInput {
  const source = sources[place]!;
  return {
    name: name ?? source.file,
    sha256: source.sha256,
    rows: source.rows,
    fromMs: source.events === 0 ? null : source.fromMs,
    toMs: source.events === 0 ? null : source.toMs,
    findings: quality.findings.filter((finding) => finding.source === place).map(describeFinding),
  };
}

function describeFinding({ kind, count, treatment, samples }: Finding): DataFileInput["findings"][number] {
  const [first] = samples;
  return {
    kind,
    line: first?.line ?? null,
    column: first === undefined || first.column === "" ? null : first.column,
    count,
    sample: first === undefined ? treatment : `${first.reason} (${treatment})`,
  };
}

/** @param strategies those that the report is of */
export function describeDriver(
  { settings, definitions, history, replay }: FinishedRun,
  strategies: readonly StrategySettings[],
): DriverInput {
  const shared = <Key extends "leverage" | "margin" | "seed">(key: Key): StrategySettings[Key] | null =>
    strategies.every((one) => one[key] === strategies[0]![key]) ? strategies[0]![key] : null;
  const latency = strategies[0]!.link.submit;
  const isShared = strategies.every(({ link }) => link.submit.name === latency.name);
  const deposit = strategies.reduce((sum, one) => sum + one.deposit, 0);
  const { flows, intervals, drivers } = history;
  const barred = intervals.some((interval) => interval > 0);
  const gathered = intervals.includes(0);
  const { makerFee, takerFee } = replay.state.parameters[0]!;
  return {
    fidelity: flows.map(({ name }, market) => ({ market: name, data: FIDELITY_OF[drivers[market]!] })),
    latencyMs: isShared ? (latency.constantMs ?? null) : null,
    latency: isShared ? latency.name : null,
    leverage: shared("leverage"),
    makerFee,
    takerFee,
    spreadTicks: flows.every(({ book }) => book !== undefined) ? null : settings.spreadTicks,
    participation: barred ? settings.participation : null,
    impact: barred ? describeImpact(settings) : null,
    markSource: describeMarks(flows),
    fundingSource: describeFunding(flows),
    blockCadence: describeBlocks(settings, gathered, barred),
    signatures: settings.signatures,
    seed: shared("seed"),
    other: [
      { name: "deposit", value: formatDecimal(deposit, AMOUNT_DECIMALS) },
      { name: "margin mode", value: shared("margin") ?? "by strategy" },
      ...(strategies.length === 1
        ? listLinkFacts({ link: strategies[0]!.link, fromMs: replay.genesis.timeMs + 1, toMs: history.instantMs })
        : []),
      { name: "insurance fund", value: settings.insurance },
      ...(barred ? [{ name: "intrabar order", value: settings.intrabar }] : []),
      ...(flows.some(({ book }) => book !== undefined) ? [{ name: "queue", value: settings.queue.name }] : []),
      ...definitions.flatMap(({ name, tickSize, lotSize }) => [
        { name: `${name} tick`, value: formatDecimal(tickSize, PRICE_DECIMALS) },
        { name: `${name} lot`, value: formatDecimal(lotSize, SIZE_DECIMALS) },
      ]),
    ],
  };
}

/** Reference prices alone drive no market of a backtest. */
const FIDELITY_OF: Readonly<Record<Driver, Fidelity>> = {
  depth: "orderBook",
  quote: "topOfBook",
  trade: "trades",
  bar: "bars",
  mark: "bars",
  index: "bars",
};

function describeBlocks({ blocks, blockMs }: Settings, gathered: boolean, barred: boolean): string {
  const instants = [...(gathered ? [`${blockMs} ms`] : []), ...(barred ? ["the points of a bar's path"] : [])].join(
    ", ",
  );
  return blocks === "all" ? `all: ${instants}` : `where something can happen, of ${instants}`;
}

function describeImpact({ impactTicks }: Settings): string {
  return impactTicks === 0 ? "none" : `linear: ${DEPTH_LEVELS} levels, ${impactTicks} tick(s) apart`;
}

/** Where marks came from, by market where that differs. */
function describeMarks(flows: readonly MarketFlow[]): string {
  return joinMarkets(flows, describeMark);
}

function describeMark({ prices, notes, book }: MarketFlow): string {
  const { markInstants, markMissing } = notes;
  const other = book === undefined ? "last trade" : "middle of the book";
  if (!prices.hasMark) return other;
  if (markMissing === 0) return "recorded";
  const share = `${other} in ${formatCount(markMissing)} of ${countOf(markInstants, "instant")}`;
  return markMissing * 2 > markInstants ? `${share}, else recorded` : `recorded, ${share}`;
}

function describeFunding(flows: readonly MarketFlow[]): string {
  return joinMarkets(flows, ({ notes }) => (notes.fundingRates === 0 ? "none" : "recorded"));
}

function joinMarkets(flows: readonly MarketFlow[], describe: (flow: MarketFlow) => string): string {
  const texts = flows.map(describe);
  if (new Set(texts).size === 1) return texts[0]!;
  return flows.map(({ name }, place) => `${name}: ${texts[place]}`).join("; ");
}

/** A recorded mark that was missing at more than this share of instants is a notice at the top. */
const MARK_MISSING_MOST = 0.1;

/** Markets whose mark is recorded and often was not there. */
export function listMissingMarks(flows: readonly MarketFlow[]): string[] {
  return flows
    .filter(({ prices, notes }) => prices.hasMark && notes.markMissing > notes.markInstants * MARK_MISSING_MOST)
    .map(
      ({ name, notes, book }) =>
        `The mark of ${name} is the ${book === undefined ? "last price" : "middle of the book"} in ${formatCount(notes.markMissing)} of ${countOf(notes.markInstants, "instant")}: ` +
        "no recorded mark was at hand.",
    );
}
