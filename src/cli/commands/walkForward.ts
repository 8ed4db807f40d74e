import { countOf, formatCount } from "../../ground/math/counts.ts";
import type { WalkForwardReport } from "../../product/research/walk-forward/model.ts";
import type { Window } from "../../product/research/walk-forward/planWindows.ts";
import { type Context, defineCommand } from "../command.ts";
import { usageError } from "../fail.ts";
import { onInterrupt } from "../interrupt.ts";
import { startProgress } from "../progress.ts";
import { addQueueOptions } from "../queueOptions.ts";
import { addRunOptions } from "../runOptions.ts";
import type { Runs } from "../runs/openRuns.ts";
import { defined, readDuration, readWhole, TIMER_DAYS, WORKERS_MOST } from "../values.ts";
import { CELLS_MOST } from "./sweep/defaults.ts";
import type { SweepOptions, SweepRequest } from "./sweep/readRequest.ts";

interface Options extends Omit<SweepOptions, "sort" | "metric" | "top" | "reports"> {
  readonly choose?: string;
  readonly train: number;
  readonly test: number;
  readonly step?: number;
  readonly anchored?: boolean;
  readonly purge?: number;
  readonly embargo?: number;
}

const SAMPLE = "data/BTC-PERP-klines-1h-2024.csv.gz data/BTC-PERP-fundingRate-2024.csv";
const DAY_MS = 86_400_000;

/** Parameters chosen on past data and tested on the data after it. */
export const walkForwardCommand = defineCommand<Options>({
  name: "walk-forward",
  summary: "Choose parameters on past data and test them on the data after it, window by window",
  description:
    "Cuts the data into windows. In each, every point of the grid is run over the training span, and the best by a " +
    "metric is run over the test that follows it. The tests one after the other are the out-of-sample curve: the result of a " +
    "trader who chose in this way. Training moves with the test, or begins at the first day with " +
    "--anchored. Each test begins flat, with the same deposit; a warm-up that a strategy declares reads the bars " +
    "before it. The grid is that of a sweep, and results are kept in the same store.",
  examples: [
    {
      args: `walk-forward trend --data ${SAMPLE} --to 2024-07-01 --grid fast=12,24 slow=48,96 --train 60d --test 30d --out walk.html walk.csv`,
      does: "Four windows of two months of training and a month of test, with a page and a table",
    },
    {
      args: `walk-forward trend --data ${SAMPLE} --to 2024-05-01 --grid fast=12,24 slow=48 --train 60d --test 30d --anchored --embargo 1d --choose totalReturn --json`,
      does: "Training that begins with the data, and a day without trading before each test, as JSON for a program",
    },
  ],
  configure(command) {
    command
      .argument(
        "<strategy>",
        "name of an example, path of a strategy file, or a .yaml or .json file of several strategies",
      )
      .requiredOption("-d, --data <source...>", "a tape, or files as [MARKET[:LAYOUT]=]PATH")
      .requiredOption("-g, --grid <name=values...>", "axes: fast=6..48:6 slow=48,96 leverage=1..5")
      .requiredOption("--train <time>", "length of training: 180d", readDuration("--train"))
      .requiredOption("--test <time>", "length of a test: 30d", readDuration("--test"))
      .option("--step <time>", "time from one test to the next (default: the length of a test)", readDuration("--step"))
      .option("--anchored", "every training span begins with the data")
      .option("--purge <time>", "time left out at the end of training", readDuration("--purge"))
      .option("--embargo <time>", "time left out between training and test", readDuration("--embargo"))
      .option(
        "--choose <metric>",
        "metric that chooses (default: sharpe; totalReturn if training is at most 15 days); of one of several strategies: sharpe@bold",
      )
      .option("--where <condition...>", 'conditions that a point must meet: "fast < slow"')
      .option("--random <count>", "draw this many points of the grid", readWhole("--random", CELLS_MOST))
      .option("--seed <text>", "seed of the draw (default: 1)")
      .option(
        "-p, --param <name=value...>",
        "parameters that all runs share; of one of several strategies: fast@bold=12",
      )
      .option("--account <name=value...>", "of a file of several strategies: settings of accounts, leverage@bold=3")
      .option("-w, --workers <count>", "threads (default: one for each core)", readWhole("--workers", WORKERS_MOST))
      .option("--store <folder>", "where results are kept (default: out/runs)")
      .option(
        "--run-limit <time>",
        "longest time of one run; a longer run fails (default: 1h)",
        readDuration("--run-limit", TIMER_DAYS),
      );
    addQueueOptions(command);
    addRunOptions(command)
      .option("--allow <kinds>", "findings in the data that are not errors, separated by commas")
      .option("--deny <kinds>", "findings in the data that are errors: gap, nullRow")
      .option("-o, --out <file...>", "write the result: .html, .json; .csv or .parquet, a row a window");
  },
  async run(context, [name = ""], options) {
    const { readRequest } = await import("./sweep/readRequest.ts");
    const { openRuns } = await import("../runs/openRuns.ts");
    const { reserveFiles } = await import("../writeFile.ts");
    const { choose, train, test, step, anchored, purge, embargo, ...shared } = options;
    const request = await readRequest(name, { ...shared, ...(choose === undefined ? {} : { sort: choose }) });
    refuseTimes(request);
    const spans = defined({
      trainMs: train,
      testMs: test,
      stepMs: step,
      anchored,
      purgeMs: purge,
      embargoMs: embargo,
    });
    const release = await reserveFiles(request.out);
    let report: WalkForwardReport;
    try {
      const { store, workers, runLimit: limitMs, data, allow, deny, redis, redisPrefix } = options;
      const runs = await openRuns(context, {
        strategies: request.swept.list,
        data,
        ...defined({ store, workers, limitMs, allow, deny, redis, redisPrefix }),
      });
      try {
        const { planWindows } = await import("../../product/research/walk-forward/planWindows.ts");
        const windows = planWindows({ ...rangeOf(runs, request), ...spans });
        report = await walk(context, runs, request, windows);
        const { writeWalkForward } = await import("./walkForward/outputs.ts");
        await writeWalkForward(
          report,
          context.call(["workers", "store", "runLimit", "redis", "redisPrefix", "out"]),
          request.out,
        );
      } finally {
        await runs.engine.close();
      }
    } catch (error) {
      release();
      throw error;
    }
    await print(context, report, request.out);
    await refuseFailures(report);
  },
});

/** An axis of times would change nothing: each run is over a span of its window. */
function refuseTimes({ axes }: SweepRequest): void {
  const axis = axes.find(({ values }) =>
    values.some(({ options = {} }) => options.fromMs !== undefined || options.toMs !== undefined),
  );
  if (axis === undefined) return;
  throw usageError("OPTION_INVALID", `${axis.name} is an axis, and the windows have their own times`, {
    place: "--grid",
    hint: "leave the axis out; --from and --to bound the data that is cut into windows",
  });
}

/** Runs without a result are shown and written, and the call has failed. */
async function refuseFailures({ failed }: WalkForwardReport): Promise<void> {
  if (failed.first === null) return;
  const { SweepError } = await import("../../product/research/sweep/errors.ts");
  const { describeFailures } = await import("../../product/research/walk-forward/describe.ts");
  const { place, hint } = failed.first;
  throw new SweepError("CELLS_FAILED", describeFailures(failed), defined({ place, hint }));
}

/** The span that windows are cut from: whole UTC days, unless an option names a time of day. */
function rangeOf({ manifest }: Runs, { base }: SweepRequest): { fromMs: number; toMs: number } {
  const { fromMs, toMs } = base.options;
  return {
    // A bar counts by its open, and its row may have the time of its close.
    fromMs: fromMs ?? Math.floor(manifest.fromMs / DAY_MS) * DAY_MS,
    toMs: toMs ?? Math.ceil(manifest.toMs / DAY_MS) * DAY_MS,
  };
}

async function walk(
  context: Context,
  runs: Runs,
  request: SweepRequest,
  windows: readonly Window[],
): Promise<WalkForwardReport> {
  const { planSweep } = await import("../../product/research/sweep/planSweep.ts");
  const { createSweepBase } = await import("./sweep/sweepBase.ts");
  const { runWalkForward } = await import("../../product/research/walk-forward/runWalkForward.ts");
  const plan = planSweep(createSweepBase(runs, request), request.axes, request.choice);
  const trainings = plan.cells.length * windows.length;
  if (trainings > CELLS_MOST) {
    const reason = `${formatCount(trainings)} runs of training are too many, at most ${formatCount(CELLS_MOST)}`;
    throw usageError("OPTION_INVALID", reason, { place: "--grid", hint: "use --random, fewer values or longer tests" });
  }
  const total = trainings + windows.length;
  const isLong = windows.every(({ train }) => train.toMs - train.fromMs > 15 * DAY_MS);
  const { terminal } = context;
  const progress = await startProgress(terminal, { label: "running", total, unit: "runs" });
  const sayHow = () => terminal.err(`stopped; the runs so far are kept; to continue: ${context.call()}`);
  const off = onInterrupt(sayHow);
  try {
    const report = await runWalkForward({
      strategy: nameStrategies(request),
      plan,
      windows,
      metric: request.sort ?? (isLong ? "sharpe" : "totalReturn"),
      engine: runs.engine,
      onDone: (done) => progress.update(done),
    });
    progress.finish(`${countOf(windows.length, "window")}, ${countOf(plan.cells.length, "point")} each`);
    return report;
  } catch (error) {
    progress.stop();
    sayHow();
    throw error;
  } finally {
    off();
  }
}

/** The id of one strategy, or the names of several. */
function nameStrategies({ swept: { list } }: SweepRequest): string {
  if (list.length === 1) return list[0]!.strategy.id;
  return list
    .map(({ name }) => name)
    .sort()
    .join(" + ");
}

async function print({ terminal, json }: Context, report: WalkForwardReport, written: readonly string[]) {
  if (json) {
    terminal.out(JSON.stringify(report));
    return;
  }
  const { formatWalkForward } = await import("./walkForward/format.ts");
  terminal.out(formatWalkForward(report));
  if (written.length > 0) terminal.out(["", "Written", ...written.map((path) => `  ${path}`)].join("\n"));
}
