import { existsSync, renameSync } from "node:fs";
import { usesBars } from "../../client/strategy/strategy.ts";
import type { Bytes32 } from "../../protocol/fields.ts";
import { computeRoot, getHead } from "../../venue/engine/commitment/root.ts";
import type { State } from "../../venue/engine/state/state.ts";
import { BlockLog } from "../../venue/simulation/log/blockLog.ts";
import type { Observer } from "../../venue/simulation/observer.ts";
import type { EventChunk, TimeRange } from "../market-data/types.ts";
import { History } from "../replay/history.ts";
import { defineMarket, type MarketDefinition } from "../replay/marketDefinition.ts";
import type { MarketSurvey } from "../replay/surveyMarkets.ts";
import { openTradable, type TradableStream } from "../replay/tradable.ts";
import { createReport } from "../report/createReport.ts";
import type { ReportInput } from "../report/input.ts";
import type { BacktestReport } from "../report/model.ts";
import { BacktestError, toBacktestError } from "./errors.ts";
import { RunTables } from "./exports/runTables.ts";
import { type BacktestOptions, resolveSettings, type Settings } from "./options.ts";
import type { SentTransaction } from "./outbox.ts";
import { Replay } from "./replay.ts";
import { createReportInput } from "./report/reportInput.ts";
import type { RunStop } from "./runStop.ts";
import type { LogLine, StrategyMetric } from "./strategyNotes.ts";
import { type ReadWarmUp, warmRange } from "./warmUp.ts";

/** A finished run. */
export interface BacktestResult {
  /** Made when it is first read. */
  readonly report: BacktestReport;
  /** What the report was made of: exact integers. */
  readonly input: ReportInput;
  /** The venue as the last block left it. */
  readonly state: State;
  readonly root: Bytes32;
  readonly head: Bytes32;
  /** The strategy's own figures and lines. */
  readonly metrics: Readonly<Record<string, StrategyMetric>>;
  readonly logs: readonly LogLine[];
  /** Why the run ended before its data did; undefined for a run over all of its data. */
  readonly stopped: RunStop | undefined;
  /** Events of the data that were replayed. */
  readonly events: number;
  readonly blocks: number;
  readonly transactions: number;
  readonly wallMs: number;
}

/** Observers of blocks in addition to the log. For tests and tools; the command line has none. */
export interface BacktestHooks {
  readonly observers?: readonly Observer[];
  /** Receives each transaction when the strategy sends it; the leverage at the start comes before `onStart`. */
  readonly onSend?: (sent: SentTransaction) => void;
}

/**
 * Replays recorded data in a venue, with a strategy that trades in it, and reports.
 *
 * The result is a function of the data and the options, except `wallMs` and memory. Only the block log and the tables are
 * written, at the end of the run. A run whose account is wiped out ends there; `stopped` gives the reason.
 *
 * @throws {BacktestError} what cannot be run. `STRATEGY_FAILED` has the run up to the failed hook as `result`, and its
 *         block log and tables are written
 * @throws {StrategyError} parameters that the strategy's schema refuses
 * @throws {DataError} what is wrong with the data
 */
export async function runBacktest(options: BacktestOptions, hooks: BacktestHooks = {}): Promise<BacktestResult> {
  try {
    return await runData(options, hooks);
  } catch (error) {
    throw toBacktestError(error);
  }
}

async function runData(options: BacktestOptions, hooks: BacktestHooks): Promise<BacktestResult> {
  const startedMs = performance.now();
  const settings = resolveSettings(options);
  const { range, warmUp } = await warmRange(options.data, settings, rangeOf(options));
  const stream = await openTradable(options.data, range);
  const { surveys } = stream;
  const definitions = defineMarkets(options, settings, surveys);
  const setup = { options, settings, definitions, surveys, stream, warmUp };
  const log = openLog(options.log);
  let tables: RunTables | undefined;
  try {
    tables = await RunTables.open(options.tables ?? []);
    const observers = [log, tables.observer, ...(hooks.observers ?? [])].filter((observer) => observer !== undefined);
    const run = await replayData(setup, { tables, observers, onSend: hooks.onSend });
    const result = finishRun(setup, run, startedMs);
    tables.close();
    if (log !== undefined && options.log !== undefined) renameSync(log.path, options.log);
    tables.publish();
    const { stop } = run.replay;
    if (stop?.reason !== "strategyFailed") return result;
    stop.failure.result = result;
    throw stop.failure;
  } catch (error) {
    log?.abandon();
    tables?.abandon();
    throw error;
  }
}

/** A run before its first block. */
interface Setup {
  readonly options: BacktestOptions;
  readonly settings: Settings;
  readonly definitions: readonly MarketDefinition[];
  readonly surveys: readonly MarketSurvey[];
  readonly stream: TradableStream;
  readonly warmUp: ReadWarmUp | undefined;
}

interface Run {
  readonly replay: Replay;
  readonly history: History;
  readonly events: number;
}

/** What reads a run besides its report. */
interface Readers {
  readonly tables: RunTables;
  readonly observers: readonly Observer[];
  readonly onSend: BacktestHooks["onSend"];
}

async function replayData(setup: Setup, { tables, observers, onSend }: Readers): Promise<Run> {
  const { options, settings, definitions, surveys, stream } = setup;
  const { data } = options;
  const history = new History({ manifest: data.manifest, markets: definitions, surveys, settings });
  const isTradeBarred = listTradeBarred(options, surveys);
  const send = (sent: SentTransaction) => {
    tables.onSend(sent);
    onSend?.(sent);
  };
  const parts = {
    settings,
    definitions,
    history,
    observers,
    isTradeBarred,
    warmUp: setup.warmUp?.bars,
    onSend: send,
    listener: tables.listener,
  };
  let replay: Replay | undefined;
  let events = 0;
  const report = (chunk: EventChunk) => {
    events += chunk.count;
    options.onProgress?.({
      eventsDone: events,
      eventsTotal: data.manifest.events,
      timeMs: chunk.timeMs[chunk.count - 1] ?? 0,
      blocks: replay?.simulation.blocks ?? 0,
    });
  };
  for await (const chunk of stream.chunks()) {
    if (chunk.count === 0) continue;
    history.add(chunk);
    if (replay === undefined) {
      tables.begin({
        markets: definitions.map(({ name }) => name),
        startMs: history.firstMs,
        deposit: settings.deposit,
        equityMs: settings.equityMs ?? Math.min(...history.intervals.map((barMs) => barMs || settings.barMs)),
      });
      replay = await Replay.open(parts);
    }
    replay.advance();
    report(chunk);
    if (replay.stop !== undefined) break;
  }
  if (replay === undefined) {
    throw new BacktestError("DATA_UNUSABLE", "there is no trade or bar in the data between `from` and `to`", {
      place: "from",
      hint: `the data reaches from ${isoTime(data.manifest.fromMs)} to ${isoTime(data.manifest.toMs)}`,
    });
  }
  replay.finish();
  return { replay, history, events };
}

function finishRun(setup: Setup, { replay, history, events }: Run, startedMs: number): BacktestResult {
  const root = computeRoot(replay.state);
  const head = getHead(replay.state);
  const wallMs = Math.round(performance.now() - startedMs);
  const peakMemoryBytes = process.resourceUsage().maxRSS * 1_024;
  const input = createReportInput({ ...setup, history, replay, root, head, wallMs, peakMemoryBytes });
  const { simulation, notes } = replay;
  let report: BacktestReport | undefined;
  return {
    get report() {
      report ??= createReport(input);
      return report;
    },
    input,
    state: replay.state,
    root,
    head,
    metrics: notes.metrics,
    logs: notes.logs,
    stopped: replay.stop,
    events,
    blocks: simulation.blocks,
    transactions: simulation.transactions,
    wallMs,
  };
}

function defineMarkets(
  { data, tick, lot, parameters }: BacktestOptions,
  { fees, deposit, leverage }: Settings,
  surveys: readonly MarketSurvey[],
): MarketDefinition[] {
  const { markets } = data.manifest;
  return markets.map((market, place) => {
    const { firstPrice } = surveys[place]!;
    const exposure = deposit * leverage;
    const definition = defineMarket(market, { tick, lot, fees, parameters, firstPrice, exposure });
    if (leverage <= definition.leverageMax) return definition;
    throw new BacktestError("OPTION_INVALID", `leverage ${leverage} is above what ${market.name} allows`, {
      place: "leverage",
      hint: `at most ${definition.leverageMax}; a smaller initial rate in tier1 allows more, 100x for example: --set "tier1=0 0.01 0.005" insuranceSlippage=0.002`,
    });
  });
}

/** By market: whether it has trades and no recorded bars, so that bars are made of its trades. */
function listTradeBarred(options: BacktestOptions, surveys: readonly MarketSurvey[]): boolean[] {
  const { markets } = options.data.manifest;
  const barred = surveys.map(({ driver }, place) => driver === "trade" && markets[place]!.events.bar === 0);
  if (options.barMs === undefined || (usesBars(options.strategy) && barred.includes(true))) return barred;
  throw new BacktestError("OPTION_INVALID", "no bars are made of trades in this run", {
    place: "bars",
    hint: !usesBars(options.strategy)
      ? "the strategy has no onBar and no onFrame; leave the option out"
      : "every market has recorded bars; leave the option out",
  });
}

function rangeOf({ fromMs, toMs }: BacktestOptions): TimeRange {
  return { ...(fromMs === undefined ? {} : { fromMs }), ...(toMs === undefined ? {} : { toMs }) };
}

/** Begins a log under a temporary name in its final folder. */
function openLog(path: string | undefined): BlockLog | undefined {
  if (path === undefined) return undefined;
  if (existsSync(path)) {
    throw new BacktestError("OUTPUT_EXISTS", `${path} exists already`, {
      place: path,
      hint: "remove it, or name another file with --log",
    });
  }
  return new BlockLog(`${path}.${process.pid}.partial`);
}

function isoTime(timeMs: number): string {
  return new Date(timeMs).toISOString();
}
