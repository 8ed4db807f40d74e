import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { countOf } from "../../../ground/math/counts.ts";
import type { ScenarioResult } from "../../../product/scenario/run/result.ts";
import { type Context, defineCommand } from "../../command.ts";
import { failure, usageError } from "../../fail.ts";
import { formatOfFile } from "../../formatOfFile.ts";
import { withProgress } from "../../progress.ts";
import { addQueueOptions, NO_MODULES, OWN_THREADS, refuseOnQueue } from "../../queueOptions.ts";
import type { QueueOptions } from "../../runs/queueAddress.ts";
import { createColors } from "../../terminal.ts";
import { readWhole, readWord, WORKERS_MOST } from "../../values.ts";
import { reserveFiles, writeWholeFiles } from "../../writeFile.ts";
import { readFiles } from "./files.ts";

const REPORTER_NAMES = ["pretty", "json", "junit", "markdown", "html", "github", "sarif"] as const;

interface Options extends QueueOptions {
  readonly reporter?: (typeof REPORTER_NAMES)[number];
  readonly out?: string;
  readonly shard?: { readonly index: number; readonly count: number };
  readonly workers?: number;
  readonly update?: boolean;
  readonly userInvariants?: readonly string[];
}

/** Fewer files than this are done before a thread has started. */
const FILES_PER_WORKER = 40;

/** Runs files and reports. */
export const scenarioRunCommand = defineCommand<Options>({
  name: "run",
  summary: "Run scenario files and report what differs",
  description:
    "Runs scenario files with every invariant, twice, and compares both runs. A folder means every file in it except " +
    "those in folders named lib, which others include. With any number of threads, and on the workers of a queue, the " +
    "results are the same. Exit code 0 when everything is as expected, 1 when something differs or a file cannot run.",
  examples: [
    { args: "scenario run scenarios/orders", does: "Run every scenario of a folder" },
    {
      args: "scenario run scenarios/liquidation --reporter html --out scenarios.html",
      does: "As a page for a risk team",
    },
    {
      args: "scenario run scenarios --shard 1/12 --reporter junit",
      does: "The first of twelve parts, for a build server",
    },
  ],
  configure(command) {
    addQueueOptions(command, "run the files")
      .argument("<paths...>", "files, folders or globs")
      .option(
        "--reporter <name>",
        `${REPORTER_NAMES.join(", ")} (default: pretty)`,
        readWord("--reporter", REPORTER_NAMES),
      )
      .option(
        "--out <file>",
        "write the report there, by its ending if no reporter is named; without it, it is printed",
      )
      .option("--shard <i/n>", "only every n-th file, from the i-th", readShard)
      .option(
        "--workers <n>",
        "threads (default: by the number of files, at most one a core)",
        readWhole("--workers", WORKERS_MOST),
      )
      .option("--user-invariants <module...>", "modules with invariants of your own, checked with all others")
      .option("--update", "write the new state roots into `golden`");
  },
  async run(context, paths, options) {
    const { terminal, json } = context;
    const { out, shard, update } = options;
    if (options.redis !== undefined) refuseUnsent(options);
    const named = REPORTER_NAMES.find((name) => name === formatOfFile(out));
    const reporter = options.reporter ?? named ?? (json ? "json" : "pretty");
    const modules = (options.userInvariants ?? []).map((path) => resolve(path));
    // A fault of a module is reported before any file is read.
    if (modules.length > 0) await (await import("../../jobs/scenarioKind.ts")).loadOwnInvariants(modules);
    const { shardFiles } = await import("../../../product/scenario/run/runFiles.ts");
    const { REPORTERS } = await import("../../../product/scenario/reporters/list.ts");
    const { createReadLine } = await import("../../../product/scenario/reporters/excerpt.ts");
    const { readTextFile } = await import("../../../product/scenario/parse/include.ts");
    const found = await readFiles(paths);
    if (out !== undefined) await reserveFiles([out]);
    const files = shard === undefined ? found : shardFiles(found, shard);
    let results = await runAll(context, files, modules, options);
    if (update === true) {
      results = await updateRoots(results, (file) => runAll(context, [file], modules, { workers: 1 }));
    }
    const paint = createColors({ color: terminal.color && out === undefined });
    const text = REPORTERS[reporter](results, { paint, readLine: createReadLine(readTextFile) });
    if (out === undefined) terminal.out(text);
    else {
      await writeWholeFiles([{ path: out, text: `${text}\n` }]);
      terminal.err(`wrote ${out}`);
    }
    const bad = results.filter(({ status }) => status !== "passed").length;
    if (bad > 0) throw failure("SCENARIO_FAILED", `${bad} of ${countOf(results.length, "file")} are not as expected`);
  },
});

/** Runs files where the options say, with progress unless this thread runs them. */
async function runAll(
  { terminal }: Context,
  files: readonly string[],
  modules: readonly string[],
  { redis, redisPrefix, workers }: Options,
): Promise<ScenarioResult[]> {
  const { runFiles } = await import("../../../product/scenario/run/runFiles.ts");
  const { openJobs } = await import("../../jobs/openJobs.ts");
  const threads = workers ?? Math.min(availableParallelism(), Math.ceil(files.length / FILES_PER_WORKER));
  const isRemote = redis !== undefined;
  const address = isRemote ? { redis, ...(redisPrefix === undefined ? {} : { redisPrefix }) } : {};
  const engine = await openJobs(terminal, { ...address, workers: Math.min(threads, files.length) });
  try {
    if (!isRemote && threads <= 1) return await runFiles(files, engine, { modules });
    const options = { label: "running", total: files.length, unit: "files" };
    let done = 0;
    return await withProgress(terminal, options, (progress) =>
      runFiles(files, engine, { modules, isRemote, onDone: () => progress.update(++done) }),
    );
  } finally {
    await engine.close();
  }
}

/** Refuses options that a queue does not carry. */
function refuseUnsent({ workers, userInvariants }: Options): void {
  if (workers !== undefined) throw refuseOnQueue("--workers", OWN_THREADS);
  if (userInvariants !== undefined) throw refuseOnQueue("--user-invariants", NO_MODULES);
}

/** Writes the roots, and their states, of files whose only failure is the golden root, and runs those again. */
async function updateRoots(
  results: readonly ScenarioResult[],
  runAgain: (file: string) => Promise<ScenarioResult[]>,
): Promise<ScenarioResult[]> {
  const { updateGolden } = await import("../../../product/scenario/lint/updateGolden.ts");
  const { readTextFile } = await import("../../../product/scenario/parse/include.ts");
  const { findLastState } = await import("../../../product/scenario/run/chainOf.ts");
  const { formatGoldenState, goldenStatePath } = await import("../../../product/scenario/run/goldenState.ts");
  const after: ScenarioResult[] = [];
  for (const result of results) {
    const failures = result.cases.flatMap((one) => one.failures);
    const [first] = failures;
    const text = first?.kind === "golden" ? updateGolden(readTextFile(result.file), first.observed) : undefined;
    if (text === undefined || failures.length !== 1) after.push(result);
    else {
      const state = formatGoldenState(findLastState(result.file));
      await writeWholeFiles([
        { path: result.file, text },
        { path: goldenStatePath(result.file), text: state },
      ]);
      after.push(...(await runAgain(result.file)));
    }
  }
  return after;
}

function readShard(text: string): { index: number; count: number } {
  const [, index, count] = /^([1-9]\d{0,3})\/([1-9]\d{0,3})$/.exec(text) ?? [];
  if (index !== undefined && Number(index) <= Number(count)) return { index: Number(index), count: Number(count) };
  throw usageError("OPTION_INVALID", `${JSON.stringify(text)} is not a part of a whole`, {
    place: "--shard",
    hint: "for example --shard 1/4",
  });
}
