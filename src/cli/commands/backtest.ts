import { rmSync } from "node:fs";
import type { AnyStrategy } from "../../client/strategy/strategy.ts";
import { countOf } from "../../ground/math/counts.ts";
import type { BacktestResult } from "../../product/backtest/backtestResult.ts";
import type { BacktestOptions, BacktestProgress, PortfolioOptions } from "../../product/backtest/options.ts";
import type { EventSource } from "../../product/market-data/types.ts";
import type { Observer } from "../../venue/simulation/observer.ts";
import { type Context, defineCommand } from "../command.ts";
import { usageError } from "../fail.ts";
import { formatTime } from "../format.ts";
import { onInterrupt } from "../interrupt.ts";
import type { PolicyOptions } from "../policy.ts";
import { isPortfolioFile, refuseAccount } from "../portfolioName.ts";
import { startProgress } from "../progress.ts";
import { addRunOptions, type RunOptions, readRunOptions } from "../runOptions.ts";
import type { Terminal } from "../terminal.ts";
import { defined, readDuration, readWhole } from "../values.ts";

/** Options of a backtest as the command line reads them. */
export interface BacktestWords extends PolicyOptions, RunOptions {
  readonly data: readonly string[];
  readonly param?: readonly string[];
  readonly account?: readonly string[];
  readonly seed?: string;
  readonly log?: string;
  readonly out?: readonly string[];
  readonly equityInterval?: number;
  readonly notes?: string;
  readonly bundle?: string;
  readonly checkLookahead?: true | number;
}

const SAMPLE =
  "data/BTC-PERP-klines-1h-2024.csv.gz data/BTC-PERP-markPriceKlines-1h-2024.csv.gz data/BTC-PERP-fundingRate-2024.csv";

/** A strategy against recorded data. */
export const backtestCommand = defineCommand<BacktestWords>({
  name: "backtest",
  summary: "Run a strategy against recorded market data, in the venue",
  description:
    "Replays recorded market data in the venue, with a strategy that trades in the same book, and reports the " +
    "result. The strategy is the name of an example or the path of your own file; a file of several strategies " +
    "lets them trade side by side, each with its own account. The data is a tape or the " +
    "source files themselves, as [MARKET[:LAYOUT]=]PATH. Shows a summary; --out writes the report. Everything that " +
    "decides the result is in the report, with the command that repeats the run.",
  examples: [
    {
      args: `backtest trend --data ${SAMPLE} --leverage 3 --out report.html report.json`,
      does: "Trend following over a year of hourly bars, with the report as one HTML file and as JSON",
    },
    {
      args: `backtest trend --data ${SAMPLE} --leverage 3 --out fills.csv orders.csv trades.parquet equity.parquet`,
      does: "Every fill and order as CSV, round trips and the equity curve as Parquet",
    },
    {
      args:
        `backtest trend --data ${SAMPLE} --from 2024-07-01 --to 2024-08-01 ` +
        "--param fast=12 slow=48 --leverage 10 --fees 0.0002/0.0005 --latency 500 --log crash.log",
      does: "The month of the crash, with other parameters, fees and latency, and a block log to verify",
    },
    {
      args: "backtest maker --data data/BTC-PERP-aggTrades-2024-03-05.csv.gz --leverage 5 --json",
      does: "A market maker over a day of trades, with the report as JSON for a program",
    },
    {
      args: "backtest trend --data data/BTC-PERP-klines-1m-2024-07-19.csv.gz --check-lookahead",
      does: "Check that no decision of a strategy depends on data that was not known yet",
    },
  ],
  configure(command) {
    command
      .argument(
        "<strategy>",
        "name of an example, path of a strategy file, or a .yaml or .json file of several strategies",
      )
      .requiredOption("-d, --data <source...>", "a tape, or files as [MARKET[:LAYOUT]=]PATH")
      .option(
        "-p, --param <name=value...>",
        "parameters of the strategy; `perplab strategies <name>` lists them; of one of several: fast@bold=12",
      )
      .option(
        "--account <name=value...>",
        "of a file of several strategies: settings of accounts over those of the file: leverage@bold=3",
      );
    addRunOptions(command)
      .option("--seed <text>", "seed of the strategy's random numbers (default: 1)")
      .option("--allow <kinds>", "findings in the data that are not errors, separated by commas")
      .option("--deny <kinds>", "findings in the data that are errors: gap, nullRow")
      .option(
        "-o, --out <file...>",
        "write the report: .html, .json, .md or .txt, or a folder/ for the first three; and tables, .csv or .parquet, " +
          "named by the last word: fills, orders, trades, funding, equity, adjustments",
      )
      .option(
        "--equity-interval <length>",
        "time between two rows of the table equity: 1m, 1h, 1d (default: the shortest bar of the run)",
        readDuration("--equity-interval"),
      )
      .option("--log <file>", "write the block log, for `perplab verify`; must not exist")
      .option("--notes <file>", "write the lines that the strategy logged")
      .option(
        "--bundle <file>",
        "write the run as one file that `perplab rerun` proves: strategy, options, data, result",
      )
      .option(
        "--check-lookahead [moments]",
        "instead of a report: check at so many moments that no decision depends on later data (default: 8)",
        readWhole("--check-lookahead", LOOKAHEAD_MOST),
      );
  },
  async run(context, [strategy = ""], options) {
    if (options.checkLookahead !== undefined) {
      const { planOutputs } = await import("../outputs.ts");
      const { tables } = await planOutputs(options.out ?? []);
      await checkForLookahead(context, strategy, await readRun(context, strategy, { ...options, tables }), options);
      return;
    }
    const { result, failure, written } = await makeBacktest(context, strategy, options);
    await print(context, result, written);
    if (failure !== undefined) throw failure;
  },
});

/** A backtest with everything that its options write. */
export interface MadeBacktest extends Ended {
  /** Paths of the files. */
  readonly written: readonly string[];
}

/**
 * Makes a backtest and writes its files, whole or not at all.
 *
 * @param name of an example or path of a file, for `load`
 * @throws what cannot be run or written; a hook that throws is part of the result
 */
export async function makeBacktest(
  context: Context,
  name: string,
  options: BacktestWords,
  load?: LoadStrategy,
): Promise<MadeBacktest> {
  const { planOutputs, renderOutputs } = await import("../outputs.ts");
  const { reserveFiles, writeWholeFiles } = await import("../writeFile.ts");
  const { paceSource } = await import("../pace.ts");
  const { openSources } = await import("../openSources.ts");
  const { nameDraft } = await import("../../product/tables/draftFile.ts");
  const { reports, tables } = await planOutputs(options.out ?? []);
  const run = await readRun(context, name, { ...options, tables }, load);
  const extra = [options.log, options.notes, options.bundle].filter((path) => path !== undefined);

  const written = [...reports.map(({ path }) => path), ...tables, ...extra];
  const release = await reserveFiles(written);
  const off = onInterrupt(() => {
    // The drafts that runBacktest would remove itself if it failed.
    for (const path of tables) rmSync(nameDraft(path), { force: true });
    if (options.log !== undefined) rmSync(`${options.log}.${process.pid}.partial`, { force: true });
    release();
  });
  let data: EventSource | undefined;
  try {
    data = await openSources(context, options);
    const recorder = options.bundle === undefined ? undefined : await createEffectsRecorder();
    const ended = await replay(context, { ...run, data: paceSource(data) }, recorder === undefined ? [] : [recorder]);
    const { result } = ended;
    if (options.bundle !== undefined && recorder !== undefined && ended.failure === undefined) {
      const { writeRunBundle } = await import("../bundles.ts");
      const { effects } = recorder;
      await writeRunBundle(options.bundle, { name, run, result, effects, data, isByHash: false });
    }
    await writeWholeFiles([
      ...renderOutputs(result.report, reports),
      ...(options.notes === undefined ? [] : [{ path: options.notes, text: formatNotes(result) }]),
    ]);
    return { ...ended, written };
  } catch (error) {
    release();
    throw error;
  } finally {
    off();
    await data?.close();
  }
}

async function createEffectsRecorder() {
  const { EffectsRecorder } = await import("../../product/research/bundle/effects.ts");
  return new EffectsRecorder();
}

/** A run for `perplab bundle`. */
export interface RunForBundle {
  readonly result: BacktestResult;
  write(): Promise<void>;
}

/**
 * Makes a run from the words of a backtest, to be written as a bundle.
 *
 * @throws what the backtest throws, also for a hook that throws
 */
export async function runForBundle(
  context: Context,
  name: string,
  given: object,
  out: string,
  isByHash: boolean,
): Promise<RunForBundle> {
  const options = given as BacktestWords;
  const { openSources } = await import("../openSources.ts");
  const { paceSource } = await import("../pace.ts");
  const { reserveFiles } = await import("../writeFile.ts");
  const { writeRunBundle } = await import("../bundles.ts");
  const run = await readRun(context, name, { ...options, tables: [] });
  const release = await reserveFiles([out]);
  const recorder = await createEffectsRecorder();
  const source = await openSources(context, options);
  try {
    const { result, failure } = await replay(context, { ...run, data: paceSource(source) }, [recorder]);
    if (failure !== undefined) throw failure;
    return {
      result,
      async write() {
        const data = await openSources(context, { ...options, silent: true });
        try {
          await writeRunBundle(out, { name, run, result, effects: recorder.effects, data, isByHash });
        } finally {
          await data.close();
        }
      },
    };
  } catch (error) {
    release();
    throw error;
  } finally {
    await source.close();
  }
}

/** Options for files that a look-ahead check does not make. */
const WRITERS = ["out", "log", "notes", "bundle"] as const;

async function checkForLookahead(
  context: Context,
  name: string,
  run: Omit<BacktestOptions, "data"> | Omit<PortfolioOptions, "data">,
  options: BacktestWords,
): Promise<void> {
  const written = WRITERS.find((option) => options[option] !== undefined);
  if (written !== undefined) {
    throw usageError("OPTION_INVALID", "not written by a look-ahead check", {
      place: `--${written}`,
      hint: "leave it out, or run the backtest once more without --check-lookahead",
    });
  }
  const cuts = options.checkLookahead === true ? 8 : options.checkLookahead!;
  if (cuts < 1) {
    throw usageError("OPTION_INVALID", "a check needs at least 1 moment", { place: "--check-lookahead" });
  }
  const { checkRun } = await import("./backtest/checkLookahead.ts");
  const { openSources } = await import("../openSources.ts");
  const data = await openSources(context, options);
  try {
    const { data: sources, allow, deny } = options;
    await checkRun(context, { name, options: run, cuts, sources, data, ...defined({ allow, deny }) });
  } finally {
    await data.close();
  }
}

/** More moments take as many times as long, and find nothing that some hundred do not. */
const LOOKAHEAD_MOST = 1_000;

/** Finds a strategy by the name that the call gives it. */
export type LoadStrategy = (name: string) => Promise<{ readonly strategy: AnyStrategy }>;

/** Everything of a run except its data, so that faults are found before the data is read. */
async function readRun(
  context: Context,
  name: string,
  given: BacktestWords & { readonly tables: readonly string[] },
  load?: LoadStrategy,
): Promise<Omit<BacktestOptions, "data"> | Omit<PortfolioOptions, "data">> {
  const isOfSeveral = load === undefined && isPortfolioFile(name);
  return isOfSeveral ? readPortfolio(context, name, given) : readOptions(context, name, given, load);
}

/** The same of one strategy. */
async function readOptions(
  context: Context,
  name: string,
  given: BacktestWords & { readonly tables: readonly string[] },
  load?: LoadStrategy,
): Promise<Omit<BacktestOptions, "data">> {
  if (given.account !== undefined) throw refuseAccount();
  const { parseParams } = await import("../../client/strategy/params.ts");
  const { loadStrategy } = await import("../loadStrategy.ts");
  const { strategy } = await (load ?? loadStrategy)(name);
  const run = defined({
    strategy,
    params: parseParams(strategy.params, given.param ?? []) as NonNullable<BacktestOptions["params"]>,
    ...(await readShared(context, given)),
  });
  const { resolveSettings } = await import("../../product/backtest/options.ts");
  resolveSettings(run);
  return run;
}

/** The same of several strategies: options of accounts are those of each strategy whose entry has none. */
async function readPortfolio(
  context: Context,
  path: string,
  given: BacktestWords & { readonly tables: readonly string[] },
): Promise<Omit<PortfolioOptions, "data">> {
  const { readPortfolioFile } = await import("../portfolioFile.ts");
  const { changePortfolio } = await import("../changePortfolio.ts");
  const entries = await changePortfolio(await readPortfolioFile(path), given);
  const run = defined({ strategies: entries.map(({ options }) => options), ...(await readShared(context, given)) });
  const { resolveSettings } = await import("../../product/backtest/options.ts");
  resolveSettings(run);
  return run;
}

/** Options of a run that do not depend on its strategy. */
async function readShared(context: Context, given: BacktestWords & { readonly tables: readonly string[] }) {
  return {
    ...(await readRunOptions(given)),
    seed: given.seed,
    log: given.log,
    tables: given.tables,
    equityMs: given.equityInterval,
    command: context.call(["out", "equityInterval", "log", "notes", "bundle"]),
  };
}

const MINUTE_MS = 60_000;

/** A run with its report. */
interface Ended {
  readonly result: BacktestResult;
  /** A hook that threw; the report covers the blocks up to then. */
  readonly failure?: unknown;
}

/** Progress goes by the time of the market: the number of events in a range of the data is not known. */
async function replay(
  { terminal }: Context,
  options: BacktestOptions | PortfolioOptions,
  observers: readonly Observer[] = [],
): Promise<Ended> {
  const { runBacktest } = await import("../../product/backtest/runBacktest.ts");
  const { isBacktestError } = await import("../../product/backtest/errors.ts");
  const { manifest } = options.data;
  const fromMs = Math.max(options.fromMs ?? 0, manifest.fromMs);
  const toMs = Math.min(options.toMs ?? Number.POSITIVE_INFINITY, manifest.toMs);
  const total = Math.max(1, Math.ceil((toMs - fromMs) / MINUTE_MS));
  const progress = await startProgress(terminal, { label: "replaying", total, unit: "minutes" });
  const onProgress = ({ timeMs, blocks }: BacktestProgress) =>
    progress.update((timeMs - fromMs) / MINUTE_MS, `${formatTime(timeMs)}, ${countOf(blocks, "block")}`);
  try {
    const result = await runBacktest({ ...options, onProgress }, { observers });
    progress.finish(`${countOf(result.events, "event")} in ${countOf(result.blocks, "block")}`);
    return { result };
  } catch (failure) {
    progress.stop();
    if (isBacktestError(failure, "STRATEGY_FAILED") && failure.result !== undefined) {
      return { result: failure.result, failure };
    }
    throw failure;
  }
}

async function print({ terminal, json }: Context, result: BacktestResult, written: readonly string[]): Promise<void> {
  if (json) {
    const { renderJson } = await import("../../product/report/json.ts");
    terminal.out(renderJson(result.report).trimEnd());
    return;
  }
  const { renderTerminal } = await import("../../product/report/terminal.ts");
  terminal.out(renderTerminal(result.report, { colors: terminal.color }).trimEnd());
  printLogs(terminal, result);
  if (written.length > 0) terminal.out(["", "Written", ...written.map((path) => `  ${path}`)].join("\n"));
}

/** How many lines the strategies logged. */
function printLogs(terminal: Terminal, { strategies }: BacktestResult): void {
  for (const { name, logs } of strategies) {
    if (logs.length > 0) {
      const who = strategies.length === 1 ? "The strategy" : name;
      terminal.out(`\n${who} logged ${countOf(logs.length, "line")}; --notes writes them.`);
    }
  }
}

/** Lines in the order of time; of several strategies each with the name of its own. */
function formatNotes({ strategies }: BacktestResult): string {
  const lines = strategies.flatMap(({ name, logs }) =>
    logs.map(({ timeMs, text }) => ({ timeMs, text: strategies.length === 1 ? text : `${name}: ${text}` })),
  );
  if (strategies.length > 1) lines.sort((a, b) => a.timeMs - b.timeMs);
  return lines.map(({ timeMs, text }) => `${new Date(timeMs).toISOString()} ${text}\n`).join("");
}
