import { availableParallelism } from "node:os";
import { extname } from "node:path";
import { countOf } from "../../ground/math/counts.ts";
import type { BacktestReport } from "../../product/report/model.ts";
import type { MonteCarloOptions } from "../../product/research/monte-carlo/createMonteCarlo.ts";
import type { MonteCarloReport } from "../../product/research/monte-carlo/model.ts";
import { type Context, defineCommand } from "../command.ts";
import { CliError, EXIT, usageError } from "../fail.ts";
import { formatColumns } from "../format.ts";
import { withProgress } from "../progress.ts";
import { addQueueOptions, OWN_THREADS, refuseOnQueue } from "../queueOptions.ts";
import { readReportFile } from "../readReportFile.ts";
import type { QueueOptions } from "../runs/queueAddress.ts";
import { readWhole, WORKERS_MOST } from "../values.ts";

interface Options extends QueueOptions {
  readonly paths?: number;
  readonly seed?: string;
  readonly block?: number;
  readonly ruin?: string;
  readonly workers?: number;
  readonly out?: readonly string[];
}

const PATHS = 10_000;
/** Paths of a method at most: some 16 MB of numbers. */
const PATHS_MOST = 1_000_000;
/** Steps of paths that are drawn in the time in which a thread starts, and some more. */
const STEPS_PER_THREAD = 10_000_000;
const RUIN = "0.5";

/** How much of a backtest's result came from the order of its days and trades. */
export const monteCarloCommand = defineCommand<Options>({
  name: "monte-carlo",
  summary: "Draw many paths from the report of a backtest: drawdown and ruin with intervals",
  description:
    "Reads the JSON report of a backtest and makes many other paths of it in two ways. Its daily returns are drawn again " +
    "in blocks (the stationary bootstrap), so that other returns and drawdowns come out; its round trips are put into " +
    "another order, so that only the drawdown differs. Shows quantiles, and the shares of paths that lose, that are " +
    "ruined, and that fall at least as deep as the run did, each with a 95 % interval for the number of paths. The same report, " +
    "seed and number of paths give the same result, with any number of threads, and on the workers of a queue.",
  examples: [
    { args: "monte-carlo report.json", does: "Ten thousand paths of the report that a backtest wrote" },
    {
      args: "monte-carlo report.json --paths 2000 --block 10 --ruin 0.7 --seed mine --out paths.html",
      does: "Blocks of ten days, ruin at 70 % of the start, and the result as one HTML file",
    },
  ],
  configure(command) {
    addQueueOptions(command, "draw the paths")
      .argument("<report.json>", "the report as a backtest wrote it")
      .option("--paths <count>", `paths of each way (default: ${PATHS})`, readWhole("--paths", PATHS_MOST))
      .option("--block <days>", "mean days of a block (default: cube root of the days)", readWhole("--block", 10_000))
      .option("--ruin <share>", `share of the start at which an account counts as ruined (default: ${RUIN})`)
      .option("--seed <text>", "seed of the paths (default: 1)")
      .option(
        "--workers <n>",
        "threads (default: by the number of paths, at most one a core)",
        readWhole("--workers", WORKERS_MOST),
      )
      .option("-o, --out <file...>", "write the result: .html or .json");
  },
  async run(context, [path = ""], options) {
    const { requireDistinct, reserveFiles, writeWholeFiles } = await import("../writeFile.ts");
    const { paths = PATHS, seed = "1", block, out = [] } = options;
    if (paths === 0) throw tooSmall("--paths");
    if (block === 0) throw tooSmall("--block");
    if (options.redis !== undefined && options.workers !== undefined) throw refuseOnQueue("--workers", OWN_THREADS);
    const odd = out.find((file) => ![".html", ".json"].includes(extname(file).toLowerCase()));
    if (odd !== undefined) {
      throw usageError("REPORT_FORMAT", "the ending names no format", { place: odd, hint: "use .html or .json" });
    }
    requireDistinct([path, ...out]);
    const ruinAt = readShare(options.ruin ?? RUIN);
    const release = await reserveFiles(out);
    try {
      const { renderMonteCarloHtml } = await import("../../product/research/monte-carlo/html.ts");
      const given = block === undefined ? {} : { meanBlock: block };
      const read = await readReportFile(path);
      const settings = { paths, seed, ruinAt, ...given };
      await requireMethod(path, read, settings);
      const report = await simulate(context, read, settings, options);
      await writeWholeFiles(
        out.map((file) => ({
          path: file,
          text: file.toLowerCase().endsWith(".json")
            ? `${JSON.stringify(report, null, 1)}\n`
            : renderMonteCarloHtml(report, context.call(["workers", "redis", "redisPrefix", "out"])),
        })),
      );
      await print(context, report, out);
    } catch (error) {
      release();
      throw error;
    }
  },
});

/** @throws {CliError} PATHS_VACUOUS for a report that no method can draw paths from */
async function requireMethod(place: string, report: BacktestReport, settings: MonteCarloOptions): Promise<void> {
  const { planMonteCarlo } = await import("../../product/research/monte-carlo/createMonteCarlo.ts");
  const { plans, skipped } = planMonteCarlo(report, settings);
  if (plans.length > 0) return;
  const reasons = skipped.map(({ reason }) => reason).join("; ");
  throw new CliError(EXIT.vacuous, "PATHS_VACUOUS", `no paths can be drawn: ${reasons}`, {
    place,
    hint: "give the report of a longer run, or of one that closes more round trips",
  });
}

/** Draws the paths where the options say, with progress unless this thread draws them. */
async function simulate(
  { terminal }: Context,
  report: BacktestReport,
  settings: MonteCarloOptions,
  options: Options,
): Promise<MonteCarloReport> {
  const { createMonteCarlo, planMonteCarlo } = await import("../../product/research/monte-carlo/createMonteCarlo.ts");
  const { openJobs } = await import("../jobs/openJobs.ts");
  const { steps, plans } = planMonteCarlo(report, settings);
  const workers = options.workers ?? Math.min(availableParallelism(), Math.ceil(steps / STEPS_PER_THREAD));
  const engine = await openJobs(terminal, { ...options, workers });
  try {
    if (options.redis === undefined && workers <= 1) return await createMonteCarlo(report, settings, engine);
    const total = settings.paths * plans.length;
    return await withProgress(terminal, { label: "drawing", total, unit: "paths" }, (progress) =>
      createMonteCarlo(report, settings, engine, (done) => progress.update(done)),
    );
  } finally {
    await engine.close();
  }
}

function tooSmall(option: string) {
  return usageError("OPTION_INVALID", "must be at least 1", { place: option, hint: "write a number from 1 on" });
}

function readShare(text: string): number {
  const value = Number(text);
  if (/^0?\.\d+$/.test(text) && value > 0) return value;
  throw usageError("OPTION_INVALID", `${JSON.stringify(text)} is not a share between 0 and 1`, {
    place: "--ruin",
    hint: "write 0.5 for half of the start",
  });
}

async function print({ terminal, json }: Context, report: MonteCarloReport, written: readonly string[]) {
  if (json) {
    terminal.out(JSON.stringify(report));
    return;
  }
  const { describeMethod, listQuantiles, listShares, METHOD_NAMES } = await import(
    "../../product/research/monte-carlo/describe.ts"
  );
  const { OUTCOME_SHARES } = await import("../../product/research/monte-carlo/model.ts");
  const { run, methods, skipped, paths } = report;
  terminal.out(`${run.strategy} on ${run.markets.join(", ")}: ${countOf(paths, "path")}, seed ${report.seed}`);
  for (const method of methods) {
    const head = ["", "the run", ...OUTCOME_SHARES.map((share) => `${Math.round(share * 100)} %`)];
    const rows = listQuantiles(method).map(({ label, recorded, quantiles }) => [label, recorded, ...quantiles]);
    terminal.out(`\n${METHOD_NAMES[method.method]}\n${describeMethod(method)}\n`);
    terminal.out(formatColumns([head, ...rows], [1, 2, 3, 4, 5, 6, 7, 8]));
    terminal.out(`\n${formatColumns(listShares(method, report).map((row) => [row.label, row.value, row.meaning]))}`);
  }
  for (const { method, reason } of skipped) terminal.out(`\n${METHOD_NAMES[method]}: not possible, ${reason}`);
  if (written.length > 0) terminal.out(["", "Written", ...written.map((file) => `  ${file}`)].join("\n"));
}
