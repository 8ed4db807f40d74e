import { createHash } from "node:crypto";
import { countOf, formatCount } from "../../ground/math/counts.ts";
import type { KeptReturns } from "../../product/research/sweep/keptReturns.ts";
import type { Luck } from "../../product/research/sweep/luck.ts";
import type { MetricKey } from "../../product/research/sweep/metricKey.ts";
import type { SweepCell } from "../../product/research/sweep/sweepCell.ts";
import type { Sweep } from "../../product/research/sweep/sweepDocument.ts";
import { type Context, defineCommand } from "../command.ts";
import { addQueueOptions } from "../queueOptions.ts";
import { addRunOptions } from "../runOptions.ts";
import type { Runs, RunsRequest } from "../runs/openRuns.ts";
import { defined, readDuration, readWhole, readWord, TIMER_DAYS, WORKERS_MOST } from "../values.ts";
import { CELLS_MOST, METRICS, TOP } from "./sweep/defaults.ts";
import type { ReportChoice } from "./sweep/makeReports.ts";
import type { LoadSwept, SweepOptions, SweepRequest } from "./sweep/readRequest.ts";

const SAMPLE = "data/BTC-PERP-klines-1h-2024.csv.gz data/BTC-PERP-fundingRate-2024.csv";
/** A strategy at every point of a grid. */
export const sweepCommand = defineCommand<SweepOptions>({
  name: "sweep",
  summary: "Run a strategy at every point of a grid of parameters and options",
  description:
    "Runs a strategy against recorded market data once for every point of a grid, in several threads, and ranks the " +
    "results. An axis is NAME=VALUES: values are separated by commas, a..b:step is a range with both ends, a..b*factor " +
    "a geometric one. A name is a parameter of the strategy, an option of a run (leverage, latency, fees, …, seed) or a " +
    "parameter of the markets; if it is in two of these places, write param.NAME, run.NAME or set.NAME. In a file of several " +
    "strategies, NAME@STRATEGY is a parameter of one of them or a setting of its account. Each result is kept in " +
    "a store under the hash of strategy, data, parameters and options: a second call runs only what is new, and a call " +
    "that was stopped continues.",
  examples: [
    {
      args: `sweep trend --data ${SAMPLE} --to 2024-03-01 --grid fast=12,24 slow=48..96:24 leverage=1,5 --out sweep.html sweep.csv`,
      does: "Twelve runs of two months of hourly bars, with a page of heatmaps, and a table for other programs",
    },
    {
      args:
        `sweep trend --data ${SAMPLE} --to 2024-03-01 --grid fast=2..64*2 slow=24..96:24 --random 8 ` +
        "--seed mine --sort calmar --top 5 --json",
      does: "Eight points drawn from a grid, as JSON for a program",
    },
    {
      args: `sweep trend --data ${SAMPLE} --to 2024-02-01 --param fast=24 slow=96 --sensitivity --out sensitivity.html`,
      does: "How one run decays with more latency, higher fees and less of the volume",
    },
  ],
  configure(command) {
    command
      .argument(
        "<strategy>",
        "name of an example, path of a strategy file, or a .yaml or .json file of several strategies",
      )
      .requiredOption("-d, --data <source...>", "a tape, or files as [MARKET[:LAYOUT]=]PATH")
      .option("-g, --grid <name=values...>", "axes: fast=6..48:6 slow=48,96 leverage=1..5 short=true,false")
      .option(
        "--sensitivity [assumption...]",
        "vary latency, feed-latency, receipt-latency, fees, participation or all of them, one at a time, around those of the run",
      )
      .option("--where <condition...>", 'conditions that a point must meet: "fast < slow and leverage <= 3"')
      .option(
        "--random <count>",
        "draw this many points of the grid, no point twice",
        readWhole("--random", CELLS_MOST),
      )
      .option("--seed <text>", "seed of the draw (default: 1); for the strategy's random numbers use --grid seed=1..5")
      .option(
        "-p, --param <name=value...>",
        "parameters that all cells share; of one of several strategies: fast@bold=12",
      )
      .option("--account <name=value...>", "of a file of several strategies: settings of accounts, leverage@bold=3")
      .option(
        "--sort <metric>",
        "metric that ranks the cells (default: sharpe; totalReturn if the run is too short); of one of several strategies: sharpe@bold",
      )
      .option("--metric <name...>", `metrics of the table (default: ${METRICS.join(" ")})`)
      .option("--top <count>", `rows of the table (default: ${TOP})`, readWhole("--top"))
      .option("-w, --workers <count>", "threads (default: one for each core)", readWhole("--workers", WORKERS_MOST))
      .option("--store <folder>", "where results are kept (default: out/runs)")
      .option(
        "--run-limit <time>",
        "longest time of one run; a longer run fails its cell (default: 1h)",
        readDuration("--run-limit", TIMER_DAYS),
      );
    addQueueOptions(command);
    addRunOptions(command)
      .option("--allow <kinds>", "findings in the data that are not errors, separated by commas")
      .option("--deny <kinds>", "findings in the data that are errors: gap, nullRow")
      .option(
        "-o, --out <file...>",
        "write the sweep: .html, a page with heatmaps; .json; .csv or .parquet, a row a cell",
      )
      .option(
        "--reports <which>",
        "with a page: reports of all, best (ten best, ten liquidated) or none (default: all of 25 cells, else best)",
        readReports,
      );
  },
  async run(context, [name = ""], options) {
    const { sweep, request } = await makeSweepOf(context, name, options);
    await print(context, sweep, options.top ?? TOP, request.out);
    await refuseFailures(sweep);
  },
});

/** Settings for a sweep that another program makes, or whose strategy is not in a file. */
export interface SweepOrigin {
  readonly load?: LoadSwept;
  readonly open?: (request: RunsRequest) => Promise<Runs>;
  /** The command that makes the run of a cell again. */
  readonly commandOf: (point: string) => string;
}

/**
 * Makes a sweep and writes its files. Cells that fail are part of it.
 *
 * @param name of an example or path of a file, for `load`
 */
export async function makeSweepOf(
  context: Context,
  name: string,
  options: SweepOptions,
  origin?: SweepOrigin,
): Promise<{ readonly sweep: Sweep; readonly request: SweepRequest }> {
  const { readRequest } = await import("./sweep/readRequest.ts");
  const { findPage, writeOutputs } = await import("./sweep/outputs.ts");
  const { openRuns } = await import("../runs/openRuns.ts");
  const { reserveFiles } = await import("../writeFile.ts");
  const request = await readRequest(name, options, origin?.load);
  const { store, workers, runLimit: limitMs, data, allow, deny, redis, redisPrefix } = options;
  const release = await reserveFiles(request.out);
  try {
    const shared = defined({ store, workers, limitMs, allow, deny, redis, redisPrefix });
    const asked = { strategies: request.swept.list, data, ...shared };
    const runs = await (origin?.open === undefined ? openRuns(context, asked) : origin.open(asked));
    try {
      const made = await makeSweep(context, runs, request, origin);
      const page = findPage(request.out);
      const sweep = page === undefined ? made : await addReports(context, runs, made, page, options.reports);
      await writeOutputs(sweep, request.out);
      return { sweep, request };
    } finally {
      await runs.engine.close();
    }
  } catch (error) {
    release();
    throw error;
  }
}

const readReports = readWord("--reports", ["all", "best", "none"]);

async function makeSweep(
  context: Context,
  runs: Runs,
  request: SweepRequest,
  origin: SweepOrigin | undefined,
): Promise<Sweep> {
  const { planSweep } = await import("../../product/research/sweep/planSweep.ts");
  const { metricValue } = await import("../../product/research/sweep/rankCells.ts");
  const { runCells } = await import("./sweep/runCells.ts");
  const { createCellCommand } = await import("./sweep/cellCommand.ts");
  const { createSweepBase } = await import("./sweep/sweepBase.ts");
  const { base, axes, choice, swept } = request;
  const plan = planSweep(createSweepBase(runs, request), axes, choice);
  const { splitMetric } = await import("../../product/research/sweep/metricKey.ts");
  const of = request.sort === undefined ? undefined : splitMetric(request.sort).of;
  const { cells, checked, returns } = await runCells(context, runs, plan, of);
  const { listContenders } = await import("../../product/research/sweep/sensitivity/measureSensitivity.ts");
  const isLong = cells.some((cell) => metricValue(cell, "sharpe") !== undefined);
  const sort = request.sort ?? (isLong ? "sharpe" : "totalReturn");
  const luck = await judge(runs, listContenders({ cells, around: request.around }), sort, returns);
  await checked;
  const { markets, fromMs, toMs, sources } = runs.manifest;
  return {
    ...describeStrategies(swept.list, runs.hashes),
    data: {
      hash: runs.base.data,
      markets: markets.map((market) => market.name),
      fromMs,
      toMs,
      sources: sources.map(({ file, sha256 }) => ({ file, sha256 })),
    },
    code: runs.base.code,
    options: base.options,
    axes,
    cells,
    sort,
    around: request.around,
    metrics: request.metrics.filter((metric) => metric !== sort),
    luck,
    command: context.call(["workers", "store", "runLimit", "redis", "redisPrefix", "out", "reports", "top"]),
    commandOf:
      origin === undefined
        ? createCellCommand(context, request)
        : (cell) => origin.commandOf(describePoint(axes, cell)),
    reports: new Map(),
  };
}

function describePoint(axes: Sweep["axes"], { point }: Pick<SweepCell, "point">): string {
  return axes.map(({ name, values }, at) => `${name}=${values[point[at]!]!.text}`).join(", ");
}

/** One strategy by itself; of several, one name and hash for all of them. */
function describeStrategies(
  list: SweepRequest["swept"]["list"],
  hashes: readonly string[],
): Pick<Sweep, "strategy" | "params" | "strategies"> {
  const all = list.map(({ name, strategy: { id, title = "" }, params, account }, at) => {
    return { name, id, title, hash: hashes[at]!, params, account };
  });
  const [only, ...others] = all;
  if (only !== undefined && others.length === 0) {
    const { id, title, hash, params } = only;
    return { strategy: { id, title, hash }, params, strategies: [] };
  }
  const sorted = all.sort((a, b) => (a.name < b.name ? -1 : 1));
  const hash = createHash("sha256")
    .update(JSON.stringify(sorted.map((one) => [one.name, one.hash])))
    .digest("hex");
  return {
    strategy: { id: sorted.map(({ name }) => name).join(" + "), title: "", hash },
    params: {},
    strategies: sorted,
  };
}

async function judge(
  { store }: Runs,
  cells: readonly SweepCell[],
  sort: MetricKey,
  returns: KeptReturns,
): Promise<Luck | null> {
  const { judgeLuck } = await import("../../product/research/sweep/luck.ts");
  const { findBest } = await import("../../product/research/sweep/rankCells.ts");
  const best = findBest(cells, sort);
  if (cells.length < 2 || best === undefined) return null;
  const daily = cells.map((cell) => returns.find(cell, (hash) => store.read(hash)));
  return judgeLuck(daily[cells.indexOf(best)]!, daily);
}

async function addReports(
  context: Context,
  runs: Runs,
  sweep: Sweep,
  page: string,
  wanted: ReportChoice | undefined,
): Promise<Sweep> {
  const { ALL_MOST, chooseReported, makeReports } = await import("./sweep/makeReports.ts");
  const { rankCells } = await import("../../product/research/sweep/rankCells.ts");
  const choice = wanted ?? (sweep.cells.length <= ALL_MOST ? "all" : "best");
  const cells = chooseReported(rankCells(sweep.cells, sweep.sort), choice);
  return { ...sweep, reports: await makeReports(context, runs, cells, page, sweep.commandOf) };
}

async function print(
  { terminal, json }: Context,
  sweep: Sweep,
  top: number,
  written: readonly string[],
): Promise<void> {
  const { listLuck, toSweepJson } = await import("../../product/research/sweep/sweepDocument.ts");
  const { formatSensitivity } = await import("./sweep/formatSensitivity.ts");
  const { formatTable } = await import("./sweep/formatSweep.ts");
  if (json) {
    terminal.out(JSON.stringify(toSweepJson(sweep)));
    return;
  }
  terminal.out(formatTable(sweep, top));
  const sensitivity = formatSensitivity(sweep);
  if (sensitivity !== "") terminal.out(`\n${sensitivity}`);
  const luck = listLuck(sweep);
  if (luck.length > 0) terminal.out(["", ...luck].join("\n"));
  if (written.length > 0) terminal.out(["", "Written", ...written.map((path) => `  ${path}`)].join("\n"));
}

/** Cells without a result are shown and written like the others, and the call has failed. */
async function refuseFailures({ cells }: Sweep): Promise<void> {
  const { SweepError } = await import("../../product/research/sweep/errors.ts");
  const failed = cells.filter(({ state }) => state === "failed");
  const [first] = failed;
  if (first === undefined) return;
  const { code, message, hint, place } = first.record.error!;
  throw new SweepError(
    "CELLS_FAILED",
    `${formatCount(failed.length)} of ${countOf(cells.length, "run")} failed, the first with ${code}: ${message}`,
    defined({ place, hint }),
  );
}
