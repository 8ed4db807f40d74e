import type { ParamValue } from "../../client/strategy/params.ts";
import type { MetricId } from "../../product/report/metrics/definitions.ts";
import type { SweepPlan } from "../../product/research/sweep/planSweep.ts";
import type { SweepCell } from "../../product/research/sweep/sweepCell.ts";
import { type Context, defineCommand } from "../command.ts";
import { usageError } from "../fail.ts";
import { formatCount } from "../format.ts";
import { onInterrupt } from "../interrupt.ts";
import type { PolicyOptions } from "../policy.ts";
import { startProgress } from "../progress.ts";
import { addRunOptions, type RunOptions, readRunOptions } from "../runOptions.ts";
import type { Runs } from "../runs/openRuns.ts";
import { readDuration, readWhole, TIMER_DAYS, WORKERS_MOST } from "../values.ts";

interface Options extends PolicyOptions, RunOptions {
  readonly data: readonly string[];
  readonly grid: readonly string[];
  readonly param?: readonly string[];
  readonly where?: readonly string[];
  readonly random?: number;
  readonly seed?: string;
  readonly sort?: string;
  readonly metric?: readonly string[];
  readonly top?: number;
  readonly workers?: number;
  readonly store?: string;
  readonly runLimit?: number;
}

const SAMPLE = "data/BTC-PERP-klines-1h-2024.csv.gz data/BTC-PERP-fundingRate-2024.csv";
/** Cells that a sweep has at most. */
const CELLS_MOST = 100_000;
/** Rows of the table. */
const TOP = 20;
const METRICS: readonly MetricId[] = ["totalReturn", "sharpe", "maxDrawdown", "roundTrips", "fundingPaid"];

/** A strategy at every point of a grid. */
export const sweepCommand = defineCommand<Options>({
  name: "sweep",
  summary: "Run a strategy at every point of a grid of parameters and options",
  description:
    "Runs a strategy against recorded market data once for every point of a grid, in several threads, and ranks the " +
    "results. An axis is NAME=VALUES: values are separated by commas, a..b:step is a range with both ends, a..b*factor " +
    "a geometric one. A name is a parameter of the strategy, an option of a run (leverage, latency, fees, …, seed) or a " +
    "parameter of the markets; where it is two of them, write param.NAME, run.NAME or set.NAME. Each result is kept in " +
    "a store under the hash of strategy, data, parameters and options: a second call runs only what is new, and a call " +
    "that was stopped continues.",
  examples: [
    {
      args: `sweep trend --data ${SAMPLE} --to 2024-03-01 --grid fast=12,24 slow=48..96:24 leverage=1,5`,
      does: "Twelve runs of two months of hourly bars",
    },
    {
      args:
        `sweep trend --data ${SAMPLE} --to 2024-03-01 --grid fast=2..64*2 slow=24..96:24 --random 8 ` +
        "--seed mine --where fast<slow --sort calmar --top 5 --json",
      does: "Eight points drawn from a grid, where the fast average is faster, as JSON for a program",
    },
  ],
  configure(command) {
    command
      .argument("<strategy>", "name of an example, or path of a strategy file")
      .requiredOption("-d, --data <source...>", "a tape, or files as [MARKET[:LAYOUT]=]PATH")
      .requiredOption("-g, --grid <name=values...>", "axes: fast=6..48:6 slow=48,96 leverage=1..5 short=true,false")
      .option("--where <condition...>", 'conditions that a point must meet: "fast < slow and leverage <= 3"')
      .option(
        "--random <count>",
        "draw this many points of the grid, no point twice",
        readWhole("--random", CELLS_MOST),
      )
      .option("--seed <text>", "of the draw (default: 1); for the strategy's random numbers use --grid seed=1..5")
      .option("-p, --param <name=value...>", "parameters of the strategy that all cells share")
      .option("--sort <metric>", "metric that ranks the cells (default: sharpe; totalReturn if the run is too short)")
      .option("--metric <name...>", `metrics of the table (default: ${METRICS.join(" ")})`)
      .option("--top <count>", `rows of the table (default: ${TOP})`, readWhole("--top"))
      .option("-w, --workers <count>", "threads (default: one for each core)", readWhole("--workers", WORKERS_MOST))
      .option("--store <folder>", "where results are kept (default: out/runs)")
      .option(
        "--run-limit <time>",
        "longest time of one run, after which its cell has failed (default: 1h)",
        readDuration("--run-limit", TIMER_DAYS),
      );
    addRunOptions(command)
      .option("--allow <kinds>", "findings in the data that are not errors, separated by commas")
      .option("--deny <kinds>", "findings in the data that are errors: gap, nullRow");
  },
  async run(context, [strategy = ""], options) {
    const { openRuns } = await import("../runs/openRuns.ts");
    const request = await readRequest(strategy, options);
    const { store, workers, runLimit: limitMs, data, allow, deny } = options;
    const asked = { store, workers, limitMs, allow, deny };
    const given = Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined));
    const { loaded } = request;
    const runs = await openRuns(context, { strategy: loaded, data, ...given });
    try {
      const { planSweep } = await import("../../product/research/sweep/planSweep.ts");
      const plan = planSweep({ ...runs.base, ...request.base }, request.axes, request.choice);
      const cells = await runCells(context, runs, plan);
      await print(context, { plan, cells, options, request });
    } finally {
      await runs.engine.close();
    }
  },
});

/** Everything of a sweep but its data: what is wrong with it comes out before the data is read. */
async function readRequest(name: string, options: Options) {
  const { parseParams } = await import("../../client/strategy/params.ts");
  const { loadStrategy } = await import("../loadStrategy.ts");
  const { readAxes } = await import("./sweep/readAxes.ts");
  const { choosePoints } = await import("../../product/research/sweep/grid/choosePoints.ts");
  const { readWhere } = await import("../../product/research/sweep/grid/where.ts");
  const { readMetric } = await import("../../product/research/sweep/rankCells.ts");
  const { resolveSettings } = await import("../../product/backtest/options.ts");
  const { workers, random, top, seed } = options;
  if (workers === 0) refuseZero("--workers");
  if (random === 0) refuseZero("--random");
  if (top === 0) refuseZero("--top");
  if (seed !== undefined && random === undefined) {
    throw usageError("OPTION_MISSING", "--seed is of the draw, and nothing is drawn", {
      place: "--seed",
      hint: "add --random COUNT; the strategy's own random numbers are varied with --grid seed=1..5",
    });
  }
  const sort = options.sort === undefined ? undefined : readMetric("--sort", options.sort);
  const metrics = options.metric?.map((text) => readMetric("--metric", text)) ?? METRICS;

  const loaded = await loadStrategy(name);
  const { strategy } = loaded;
  const texts = options.param ?? [];
  const params = parseParams(strategy.params, texts) as Readonly<Record<string, ParamValue>>;
  const runOptions = await readRunOptions(options);
  resolveSettings({ ...runOptions, strategy, params });
  const axes = await readAxes(options.grid, {
    strategy,
    params,
    givenParams: texts.map((text) => text.slice(0, text.indexOf("="))),
    options: runOptions,
    given: { ...options },
  });
  const names = [...new Set([...Object.keys(params), ...axes.map((axis) => axis.name)])];
  const choice = {
    conditions: (options.where ?? []).map((text) => readWhere(text, names)),
    fixed: new Map(Object.entries(params)),
    ...(random === undefined ? {} : { random }),
    seed: seed ?? "1",
  };
  // Faults of the grid come out before the data is read.
  choosePoints(axes, choice);
  return { loaded, axes, choice, sort, metrics, base: { params, options: runOptions } };
}

function refuseZero(option: string): never {
  throw usageError("OPTION_INVALID", "must be at least 1", { place: option, hint: "write a number from 1 on" });
}

/** Runs the cells that the store does not have, with progress and the way to continue. */
async function runCells(context: Context, { engine, workers }: Runs, plan: SweepPlan): Promise<SweepCell[]> {
  const { runSweep } = await import("../../product/research/sweep/runSweep.ts");
  const { terminal } = context;
  const total = plan.cells.length;
  const progress = await startProgress(terminal, { label: "running", total, unit: "runs" });
  const again = context.call();
  let done = 0;
  let made = 0;
  const stop = () =>
    terminal.err(
      `stopped after ${formatCount(done)} of ${formatCount(total)} runs; they are kept. To continue: ${again}`,
    );
  const off = onInterrupt(stop);
  try {
    const cells = await runSweep(engine, plan, {
      onCell(_record, isKept) {
        done++;
        if (!isKept) made++;
        progress.update(done, `${formatCount(made)} new`);
      },
    });
    const threads = workers === 1 ? "1 thread" : `${workers} threads`;
    progress.finish(`${formatCount(made)} new in ${threads}, ${formatCount(done - made)} kept from before`);
    return cells;
  } catch (error) {
    progress.stop();
    stop();
    throw error;
  } finally {
    off();
  }
}

interface Ended {
  readonly plan: SweepPlan;
  readonly cells: readonly SweepCell[];
  readonly options: Options;
  readonly request: Awaited<ReturnType<typeof readRequest>>;
}

async function print({ terminal, json }: Context, { plan, cells, options, request }: Ended): Promise<void> {
  const { metricValue } = await import("../../product/research/sweep/rankCells.ts");
  const { formatTable } = await import("./sweep/formatSweep.ts");
  const sort =
    request.sort ?? (cells.some((cell) => metricValue(cell, "sharpe") !== undefined) ? "sharpe" : "totalReturn");
  const { axes } = plan;
  if (json) terminal.out(JSON.stringify({ kind: "sweep", sort, axes, cells }));
  else terminal.out(formatTable({ axes, cells, sort, metrics: request.metrics, top: options.top ?? TOP }));
}
