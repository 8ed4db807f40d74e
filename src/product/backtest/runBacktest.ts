import { existsSync, renameSync } from "node:fs";
import { computeRoot, getHead } from "../../venue/engine/commitment/root.ts";
import { BlockLog } from "../../venue/simulation/log/blockLog.ts";
import type { Observer } from "../../venue/simulation/observer.ts";
import type { EventChunk, TapeManifest, TimeRange } from "../market-data/types.ts";
import { History } from "../replay/history.ts";
import type { MarketDefinition } from "../replay/marketDefinition.ts";
import type { MarketSurvey } from "../replay/surveyMarkets.ts";
import { openTradable, type TradableStream } from "../replay/tradable.ts";
import { createReport } from "../report/createReport.ts";
import type { BacktestReport } from "../report/model.ts";
import type { BacktestResult, StrategyResult } from "./backtestResult.ts";
import { BacktestError, toBacktestError } from "./errors.ts";
import type { RunTables } from "./exports/runTables.ts";
import type { Refused } from "./link/remote.ts";
import { type BacktestOptions, type PortfolioOptions, resolveSettings, type Settings } from "./options.ts";
import type { SentTransaction } from "./outbox.ts";
import { Replay } from "./replay.ts";
import { createReportInput } from "./report/reportInput.ts";
import { sumUp } from "./report/sumUp.ts";
import { defineMarkets, listTradeBarred } from "./runMarkets.ts";
import type { RunStop } from "./runStop.ts";
import type { SeriesFeed } from "./series/seriesFeed.ts";
import { type ReadWarmUp, warmRange } from "./warmUp.ts";

/** Observers of blocks in addition to the log. For tests and tools; the command line has none. */
export interface BacktestHooks {
  readonly observers?: readonly Observer[];
  /** Receives each transaction when a strategy sends it; the leverage at the start comes before `onStart`. */
  readonly onSend?: (sent: SentTransaction, strategy: string) => void;
  /** Records each block by itself, the slow and plain way. The report is the same. */
  readonly recordsEach?: boolean;
}

/**
 * Replays recorded data in a venue, with strategies that trade in it, and reports. `{ strategy, … }` is a run of one;
 * `{ strategies: [{ name, strategy, deposit, … }, …], … }` one of several, each with its own account, in the same
 * books.
 *
 * The result is a function of the data and the options, except `wallMs` and memory. Only the block log and the tables
 * are written, at the end of the run. A strategy stops where its account is wiped out or a hook throws; `stopped` gives
 * the reason. A run whose strategies have all stopped ends there.
 *
 * @throws {BacktestError} options, markets or data that allow no run. `STRATEGY_FAILED`, of the first strategy that
 *         failed, has the run as `result`, and its block log and tables are written
 * @throws {StrategyError} parameters that the strategy's schema rejects
 * @throws {DataError} faults of the data
 */
export async function runBacktest(
  options: BacktestOptions | PortfolioOptions,
  hooks: BacktestHooks = {},
): Promise<BacktestResult> {
  try {
    return await runData(options, hooks);
  } catch (error) {
    throw toBacktestError(error);
  }
}

async function runData(options: Options, hooks: BacktestHooks): Promise<BacktestResult> {
  const startedMs = performance.now();
  const settings = resolveSettings(options);
  const { range, warmUps, seriesFromMs } = await warmRange(options.data, settings, rangeOf(options));
  const series = await openSeries(options.data.manifest);
  const stream = await openTradable(options.data, range, {
    ...{ allowBooks: true, seriesFromMs },
    onSeries: (chunk) => series?.add(chunk),
  });
  const { surveys } = stream;
  const definitions = defineMarkets(options, settings, surveys);
  const setup = { options, settings, definitions, surveys, stream, warmUps, series };
  const log = openLog(options.log);
  let tables: RunTables | undefined;
  try {
    tables = await openTables(options, settings);
    const observers = [log, ...(tables?.observers ?? []), ...(hooks.observers ?? [])].filter(
      (observer) => observer !== undefined,
    );
    const run = await replayData(setup, { ...hooks, tables, observers });
    const result = finishRun(setup, run, startedMs);
    tables?.close();
    if (log !== undefined && options.log !== undefined) renameSync(log.path, options.log);
    tables?.publish();
    const failure = findFailure(result.strategies);
    if (failure === undefined) return result;
    failure.result = result;
    throw failure;
  } catch (error) {
    log?.abandon();
    tables?.abandon();
    throw error;
  }
}

/** The series of the data. Most runs have none, and do not load this. */
async function openSeries({ series }: TapeManifest): Promise<SeriesFeed | undefined> {
  if (series === undefined) return undefined;
  const { SeriesFeed } = await import("./series/seriesFeed.ts");
  return new SeriesFeed(series);
}

/** The tables that are written. Most runs have none, and do not load this. */
async function openTables({ tables = [] }: Options, { strategies }: Settings): Promise<RunTables | undefined> {
  if (tables.length === 0) return undefined;
  const { RunTables } = await import("./exports/runTables.ts");
  return RunTables.open(tables, strategies);
}

/** Why the first strategy that failed did so; by name where several failed in one block. */
function findFailure(strategies: readonly StrategyResult[]): BacktestError | undefined {
  let first: Extract<RunStop, { readonly reason: "strategyFailed" }> | undefined;
  for (const { stopped } of strategies) {
    if (stopped?.reason === "strategyFailed" && (first === undefined || stopped.timeMs < first.timeMs)) first = stopped;
  }
  return first?.failure;
}

type Options = BacktestOptions | PortfolioOptions;

/** A run before its first block. */
interface Setup {
  readonly options: Options;
  readonly settings: Settings;
  readonly definitions: readonly MarketDefinition[];
  readonly surveys: readonly MarketSurvey[];
  readonly stream: TradableStream;
  /** By strategy. */
  readonly warmUps: readonly (ReadWarmUp | undefined)[];
  readonly series: SeriesFeed | undefined;
}

interface Run {
  readonly replay: Replay;
  readonly history: History;
  readonly events: number;
}

/** Readers of a run besides its report. */
interface Readers {
  readonly tables: RunTables | undefined;
  readonly observers: readonly Observer[];
  readonly onSend?: BacktestHooks["onSend"];
  readonly recordsEach?: boolean;
}

async function replayData(setup: Setup, { tables, observers, onSend, recordsEach = false }: Readers): Promise<Run> {
  const { options, settings, definitions, surveys, stream } = setup;
  const { data } = options;
  const history = new History({ manifest: data.manifest, markets: definitions, surveys, settings });
  const isTradeBarred = listTradeBarred(setup);
  const send = (sent: SentTransaction, strategy: string) => {
    tables?.onSend(sent, strategy);
    onSend?.(sent, strategy);
  };
  const parts = {
    settings,
    definitions,
    history,
    observers,
    recordsEach,
    isTradeBarred,
    warmUps: setup.warmUps.map((warmUp) => warmUp?.bars),
    series: setup.series,
    onSend: send,
    onRefuse: (refused: Refused, strategy: string) => tables?.onRefuse(refused, strategy),
    listen: (strategy: string) => tables?.listen(strategy),
  };
  let replay: Replay | undefined;
  let events = 0;
  const report = (chunk: EventChunk) => {
    events += chunk.count;
    options.onProgress?.({
      eventsDone: events,
      // Series are taken out of the stream before.
      eventsTotal: data.manifest.events - data.manifest.counts.series,
      timeMs: chunk.timeMs[chunk.count - 1] ?? 0,
      blocks: replay?.simulation.blocks ?? 0,
    });
  };
  for await (const chunk of stream.chunks()) {
    if (chunk.count === 0) continue;
    history.add(chunk);
    if (replay === undefined) {
      tables?.begin({
        markets: definitions.map(({ name }) => name),
        startMs: history.firstMs,
        equityMs: settings.equityMs ?? Math.min(...history.intervals.map((barMs) => barMs || settings.barMs)),
      });
      replay = await Replay.open(parts);
    }
    replay.advance();
    setup.series?.settle(history.instantMs);
    report(chunk);
    if (replay.isStopped) break;
  }
  if (replay === undefined) {
    throw new BacktestError(
      "DATA_UNUSABLE",
      "there is no trade or bar, and no order book, in the data between `from` and `to`",
      {
        place: "from",
        hint: `the data reaches from ${isoTime(data.manifest.fromMs)} to ${isoTime(data.manifest.toMs)}`,
      },
    );
  }
  replay.finish();
  return { replay, history, events };
}

function finishRun(setup: Setup, { replay, history, events }: Run, startedMs: number): BacktestResult {
  const root = computeRoot(replay.state);
  const head = getHead(replay.state);
  const wallMs = Math.round(performance.now() - startedMs);
  const peakMemoryBytes = process.resourceUsage().maxRSS * 1_024;
  const run = { ...setup, history, replay, root, head, wallMs, peakMemoryBytes };
  const strategies = replay.traders.map((trader, place): StrategyResult => {
    const input = createReportInput(run, place);
    const { notes, settings, stop } = trader;
    let report: BacktestReport | undefined;
    return {
      name: settings.name,
      get report() {
        report ??= createReport(input);
        return report;
      },
      input,
      metrics: notes.metrics,
      logs: notes.logs,
      stopped: stop,
    };
  });
  const { simulation } = replay;
  const together = strategies.length === 1 ? strategies[0]! : sumUp(run, strategies);
  const { input, metrics, logs, stopped } = together;
  return {
    get report() {
      return together.report;
    },
    input,
    metrics,
    logs,
    stopped,
    state: replay.state,
    root,
    head,
    strategies,
    events,
    blocks: simulation.blocks,
    transactions: simulation.transactions,
    wallMs,
  };
}

function rangeOf({ fromMs, toMs }: Options): TimeRange {
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
