import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { formatCount } from "../../ground/math/counts.ts";
import type { ReadBundle } from "../../product/research/bundle/format.ts";
import type { LogComparison } from "../../product/research/compare/compareLogs.ts";
import type { ComparedRuns, Comparison } from "../../product/research/compare/model.ts";
import type { RunFigures } from "../../product/research/compare/runFigures.ts";
import { type Context, defineCommand } from "../command.ts";
import { CliError, EXIT, usageError } from "../fail.ts";
import { withProgress } from "../progress.ts";
import type { RerunOptions } from "../rerunBundle.ts";
import { type RunFileKind, readRunFileKind } from "../runFileKind.ts";
import { requireDistinct, reserveFiles, writeWholeFiles } from "../writeFile.ts";

interface Options extends RerunOptions {
  readonly out?: readonly string[];
  readonly rerun?: boolean;
}

/** Two runs, and where they first differ. */
export const compareCommand = defineCommand<Options>({
  name: "compare",
  summary: "Compare two runs: the first block that differs, and why",
  description:
    "Compares two block logs, two JSON reports of backtests, or two bundles. Logs are replayed side by side up to the " +
    "first block that differs: its transactions, receipts and events, and the accounts and markets after it. Reports and " +
    "bundles are compared from causes to results: strategy, data, options, versions, the first fill or block, the " +
    "figures. Nothing of a bundle runs, unless --rerun makes both runs again: then their blocks and curves are compared " +
    "as well. --out writes a page with both equity curves and the figures. Exit code 4 if the runs differ.",
  examples: [
    { args: "compare crash.log crash.log", does: "Two logs of the same run are equal" },
    { args: "compare report.json report.json --json", does: "Two reports, with the result for a program" },
    { args: "compare crash.log crash.log --out same.html", does: "The same as a page" },
  ],
  configure(command) {
    command
      .argument("<a>", "a block log, a report as JSON, or a bundle")
      .argument("<b>", "the other, of the same kind")
      .option("-o, --out <file...>", "write the result with curves and figures: .html or .json")
      .option("--rerun", "of bundles: repeat both runs, and compare their blocks and curves")
      .option("--trust", "with --rerun: run the code of the strategies in the bundles")
      .option("--any-version", "with --rerun: run them although versions differ")
      .option("-d, --data <source...>", "with --rerun: the data of bundles that name it by hash")
      .option("--allow <kinds>", "findings in the data that are not errors, separated by commas")
      .option("--deny <kinds>", "findings in the data that are errors: gap, nullRow");
  },
  async run(context, [a = "", b = ""], options) {
    const { out = [] } = options;
    const odd = out.find((file) => ![".html", ".json"].includes(extname(file).toLowerCase()));
    if (odd !== undefined)
      throw usageError("REPORT_FORMAT", "the ending names no format", { place: odd, hint: "use .html or .json" });
    for (const read of [a, b]) requireDistinct([read, ...out]);
    const release = await reserveFiles(out);
    let comparison: Comparison;
    try {
      comparison = await compare(context, a, b, options);
    } catch (error) {
      release();
      throw error;
    }
    if (comparison.equal) return;
    const { describeComparison } = await import("../../product/research/compare/text.ts");
    throw new CliError(EXIT.differs, "RUNS_DIFFER", describeComparison(comparison), { place: `${a}, ${b}` });
  },
});

async function compare(context: Context, a: string, b: string, options: Options): Promise<Comparison> {
  const kind = await findKind(a, b, options);
  const isWhole = (options.out ?? []).length > 0;
  const found =
    kind === "bundle"
      ? await compareBundles(context, a, b, options)
      : kind === "report"
        ? await compareReports(a, b)
        : await compareLogs(context, a, b, isWhole);
  await print(context, found, options.out ?? []);
  return found.comparison;
}

async function findKind(a: string, b: string, options: Options): Promise<RunFileKind> {
  const [kindA, kindB] = [await readRunFileKind(a), await readRunFileKind(b)];
  if (kindA !== kindB) {
    throw usageError("RUNS_UNLIKE", `${a} is a ${kindA}, and ${b} is a ${kindB}`, {
      place: b,
      hint: "compare two block logs (backtest --log), two reports (backtest --out report.json), or two bundles",
    });
  }
  const { rerun = false, trust, anyVersion, data, allow, deny } = options;
  const ofRerun = { "--trust": trust, "--any-version": anyVersion, "--data": data, "--allow": allow, "--deny": deny };
  if (kindA !== "bundle" && rerun)
    throw usageError("OPTION_INVALID", `a ${kindA} cannot be run again`, { place: "--rerun", hint: "leave it out" });
  const [stray] = rerun ? [] : Object.entries(ofRerun).filter(([, value]) => value !== undefined);
  if (stray !== undefined)
    throw usageError("OPTION_INVALID", "nothing is run", {
      place: stray[0],
      hint: "give it with --rerun, for bundles",
    });
  return kindA;
}

async function compareReports(a: string, b: string): Promise<ComparedRuns> {
  const { readReportFile } = await import("../readReportFile.ts");
  const reports = await import("../../product/research/compare/compareReports.ts");
  const { readReportFigures } = await import("../../product/research/compare/runFigures.ts");
  const [one, other] = [await readReportFile(a), await readReportFile(b)];
  const comparison = reports.compareReports(one, other);
  return { comparison, a: readReportFigures(a, one), b: readReportFigures(b, other) };
}

/** @param isWhole whether figures and curves are wanted as well: both logs are then replayed to their ends */
async function compareLogs({ terminal }: Context, a: string, b: string, isWhole: boolean): Promise<ComparedRuns> {
  const logs = await import("../../product/research/compare/compareLogs.ts");
  const { sizeOf } = await import("../policy.ts");
  const total = (await sizeOf([a])) + (await sizeOf([b]));
  const comparison = await withProgress(terminal, { label: "comparing", total, unit: "bytes" }, (progress) =>
    logs.compareLogs(a, b, (done, height) => progress.update(done, `block ${formatCount(height)}`)),
  );
  const nothing = (name: string): RunFigures => ({ name, figures: [], curve: undefined });
  if (!isWhole) return { comparison, a: nothing(a), b: nothing(b) };
  const { readLogFigures } = await import("../../product/research/compare/logFigures.ts");
  return { comparison, a: readLogFigures(a, a), b: readLogFigures(b, b) };
}

async function compareBundles(context: Context, a: string, b: string, options: Options): Promise<ComparedRuns> {
  const { readBundle } = await import("../../product/research/bundle/format.ts");
  const bundles = await import("../../product/research/compare/compareBundles.ts");
  const [one, other] = [await readBundle(a), await readBundle(b)];
  const comparison = bundles.compareBundles(one, other);
  if (options.rerun !== true)
    return { comparison, a: bundles.readBundleFigures(one), b: bundles.readBundleFigures(other) };
  const folder = await mkdtemp(join(tmpdir(), "perplab-compare-"));
  try {
    const runs = [
      await makeAgain(context, one, optionsOf(one, other, options), join(folder, "a.log")),
      await makeAgain(context, other, optionsOf(other, one, options), join(folder, "b.log")),
    ] as const;
    const { comparison: logs } = await compareLogs(context, join(folder, "a.log"), join(folder, "b.log"), false);
    return { comparison, logs: logs as LogComparison, a: runs[0], b: runs[1] };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Options of the run of one of two bundles: if only the other names its data by hash, `--data` is for that one. */
function optionsOf(bundle: ReadBundle, other: ReadBundle, { data, ...options }: Options): Options {
  const isOfOther = bundle.header.data.included && !other.header.data.included;
  return data === undefined || isOfOther ? options : { ...options, data };
}

/** @throws {CliError} RUNS_DIFFER for a bundle whose run gives another result here */
async function makeAgain(context: Context, bundle: ReadBundle, options: Options, log: string): Promise<RunFigures> {
  const { rerunToLog } = await import("../rerunBundle.ts");
  const { readReportFigures } = await import("../../product/research/compare/runFigures.ts");
  const { report } = await rerunToLog(context, bundle, options, log);
  return readReportFigures(bundle.path, report);
}

async function print({ terminal, json, call }: Context, found: ComparedRuns, out: readonly string[]): Promise<void> {
  const { renderComparison } = await import("../../product/research/compare/text.ts");
  const { renderComparisonHtml } = await import("../../product/research/compare/html.ts");
  const command = call(["out"]);
  await writeWholeFiles(
    out.map((path) => ({
      path,
      text: path.toLowerCase().endsWith(".json")
        ? `${JSON.stringify(found, null, 1)}\n`
        : renderComparisonHtml(found, command),
    })),
  );
  const { comparison, logs } = found;
  if (json) terminal.out(JSON.stringify(logs === undefined ? comparison : { ...comparison, logs }));
  else {
    terminal.out(renderComparison(comparison));
    if (logs !== undefined) terminal.out(`\n${renderComparison(logs)}`);
    if (out.length > 0) terminal.out(["", "Written", ...out.map((file) => `  ${file}`)].join("\n"));
  }
}
