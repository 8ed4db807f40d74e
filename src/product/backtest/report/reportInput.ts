import { formatDecimal } from "../../../ground/math/decimal.ts";
import { AMOUNT_DECIMALS, PRICE_DECIMALS, SIZE_DECIMALS } from "../../../ground/math/fixed.ts";
import type { Bytes32 } from "../../../protocol/fields.ts";
import { computeGenesisHash } from "../../../venue/engine/state/genesisHash.ts";
import type { Finding, TapeManifest } from "../../market-data/types.ts";
import type { History } from "../../replay/history.ts";
import type { MarketDefinition } from "../../replay/marketDefinition.ts";
import { DEPTH_LEVELS, type MarketFlow } from "../../replay/marketFlow.ts";
import type { LeftOut, TradableStream } from "../../replay/tradable.ts";
import type { DataFileInput, DriverInput, ReportInput, StopInput } from "../../report/input.ts";
import { formatCount, formatUsd } from "../../report/text/numbers.ts";
import { formatTime } from "../../report/text/times.ts";
import type { BacktestOptions, Settings } from "../options.ts";
import type { Replay } from "../replay.ts";
import { describeWarmUp, listShortWarmUps, type ReadWarmUp } from "../warmUp.ts";
import { listAssumptions } from "./assumptions.ts";
import { formatBacktestCommand } from "./command.ts";

/** A run that has ended, with what it was made of. */
export interface FinishedRun {
  readonly options: BacktestOptions;
  readonly settings: Settings;
  readonly definitions: readonly MarketDefinition[];
  readonly stream: TradableStream;
  readonly warmUp: ReadWarmUp | undefined;
  readonly history: History;
  readonly replay: Replay;
  readonly root: Bytes32;
  readonly head: Bytes32;
  readonly wallMs: number;
  readonly peakMemoryBytes: number;
}

/** Everything that the report of a run says. */
export function createReportInput(run: FinishedRun): ReportInput {
  const { options, settings, history, replay, warmUp } = run;
  const { manifest } = options.data;
  const names = manifest.markets.map(({ name }) => name);
  return {
    strategy: { id: settings.strategy.id, params: settings.params },
    data: manifest.sources.map((_, source) => describeSource(manifest, source, options.dataNames?.[source])),
    driver: describeDriver(run),
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
    assumptions: [
      ...listLeftOut(run.stream),
      ...(warmUp === undefined ? [] : describeWarmUp(warmUp, names)),
      ...listAssumptions(settings, manifest, history),
    ],
    notices: [
      ...listLeftOut(run.stream, NOTICED_MS),
      ...(warmUp === undefined ? [] : listShortWarmUps(warmUp, names)),
      ...listMissingMarks(history.flows),
    ],
    stopped: describeStop(run),
    ownMetrics: replay.notes.listOwnMetrics(),
    recording: replay.recorder.finish(),
  };
}

/** Events that lie this far outside of what can be traded are a notice at the top. */
const NOTICED_MS = 86_400_000;

/** Which events lie before the run, or after it, since no market can be traded there. */
function listLeftOut({ openMs, before, after }: TradableStream, leastMs = 0): string[] {
  const sentences: string[] = [];
  if (before.count > 0 && openMs - before.fromMs >= leastMs) {
    sentences.push(
      `The run begins at ${formatTime(openMs)} UTC, where a market can first be traded: ${describeRows(before)} from ` +
        `${formatTime(before.fromMs)} UTC on were left out.`,
    );
  }
  if (after.count > 0 && after.toMs - after.fromMs >= leastMs) {
    sentences.push(
      `The run ends with the last trade or bar: ${describeRows(after)} up to ${formatTime(after.toMs)} UTC were left out.`,
    );
  }
  return sentences;
}

function describeRows({ count, kinds }: LeftOut): string {
  return `${formatCount(count)} events (${kinds.join(", ")})`;
}

function describeStop({ options, replay }: FinishedRun): StopInput | null {
  const { stop } = replay;
  if (stop === undefined) return null;
  const { reason, height, timeMs } = stop;
  if (stop.reason === "strategyFailed") {
    const { place = "", message } = stop.failure;
    const text = `Stopped: ${message} (${place}). The report covers the blocks up to this one.`;
    return { reason, height, timeMs, text };
  }
  const endMs = Math.min(options.toMs ?? Number.POSITIVE_INFINITY, options.data.manifest.toMs);
  const rest = endMs > timeMs ? ` Data up to ${formatTime(endMs)} UTC was not replayed.` : "";
  const text =
    `Wiped out at block ${height} (${formatTime(timeMs)} UTC): the account has no position, and its equity of ` +
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

function describeDriver({ settings, definitions, history, replay }: FinishedRun): DriverInput {
  const { flows, intervals } = history;
  const barred = intervals.some((interval) => interval > 0);
  const traded = intervals.includes(0);
  const { makerFee, takerFee } = replay.state.parameters[0]!;
  return {
    latencyMs: settings.latencyMs,
    leverage: settings.leverage,
    makerFee,
    takerFee,
    spreadTicks: settings.spreadTicks,
    participation: barred ? settings.participation : null,
    impact: barred ? describeImpact(settings) : null,
    markSource: describeMarks(flows),
    fundingSource: describeFunding(flows),
    blockCadence: describeBlocks(settings, traded, barred),
    signatures: settings.signatures,
    seed: settings.seed,
    other: [
      { name: "deposit", value: formatDecimal(settings.deposit, AMOUNT_DECIMALS) },
      { name: "margin mode", value: settings.margin },
      { name: "insurance fund", value: settings.insurance },
      ...(barred ? [{ name: "intrabar order", value: settings.intrabar }] : []),
      ...definitions.flatMap(({ name, tickSize, lotSize }) => [
        { name: `${name} tick`, value: formatDecimal(tickSize, PRICE_DECIMALS) },
        { name: `${name} lot`, value: formatDecimal(lotSize, SIZE_DECIMALS) },
      ]),
    ],
  };
}

function describeBlocks({ blocks, blockMs }: Settings, traded: boolean, barred: boolean): string {
  const instants = [...(traded ? [`${blockMs} ms`] : []), ...(barred ? ["the points of a bar's path"] : [])].join(", ");
  return blocks === "all" ? `all: ${instants}` : `where something can happen, of ${instants}`;
}

function describeImpact({ impactTicks }: Settings): string {
  return impactTicks === 0 ? "none" : `linear: ${DEPTH_LEVELS} levels, ${impactTicks} tick(s) apart`;
}

/** Where marks came from, by market where that differs. */
function describeMarks(flows: readonly MarketFlow[]): string {
  return joinMarkets(flows, describeMark);
}

function describeMark({ hasMark, notes }: MarketFlow): string {
  const { markInstants, markMissing } = notes;
  if (!hasMark) return "last trade";
  if (markMissing === 0) return "recorded";
  const share = `last trade in ${formatCount(markMissing)} of ${formatCount(markInstants)} instants`;
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
function listMissingMarks(flows: readonly MarketFlow[]): string[] {
  return flows
    .filter(({ hasMark, notes }) => hasMark && notes.markMissing > notes.markInstants * MARK_MISSING_MOST)
    .map(
      ({ name, notes }) =>
        `The mark of ${name} is the last price in ${formatCount(notes.markMissing)} of ${formatCount(notes.markInstants)} instants: ` +
        "no recorded mark was at hand.",
    );
}
