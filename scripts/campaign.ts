/**
 * The long searches; results are in `docs/evidence`. A stopped search continues on the next run.
 *
 *     npm run campaign:clean                  10^8 transactions, every invariant: nothing may break
 *     npm run campaign:model                  10^7 transactions in lock step with the reference model
 *     npm run campaign:digests                10^7 transactions on three versions of Node: the digests are the same
 *     npm run campaign:clean -- --tx 1e6      with another number; --workers n, --seed n likewise
 *
 * Exits as the search does; `digests` with 4 if two runtimes differ.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { parseArgs } from "node:util";
import type { SearchReport } from "../src/proof/fuzz/campaign/report.ts";
import { writeAtomic } from "../src/proof/fuzz/corpus/atomic.ts";
import { installRuntime, NODE_VERSIONS, type Runtime, root } from "./runtimes.ts";

const KINDS = {
  clean: { tx: "1e8", args: ["--profile", "nightly"] },
  model: { tx: "1e7", args: ["--profile", "nightly", "--model"] },
  digests: { tx: "1e7", args: ["--profile", "swarm", "--invariants", "-*"] },
} as const;
type Kind = keyof typeof KINDS;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { tx: { type: "string" }, seed: { type: "string", default: "1" }, workers: { type: "string" } },
});
const kind = positionals[0] as Kind;
if (!Object.hasOwn(KINDS, kind)) {
  console.error(`say which: ${Object.keys(KINDS).join(", ")}`);
  process.exit(2);
}
const tx = values.tx ?? KINDS[kind].tx;
const own: Runtime = { version: process.versions.node, folder: dirname(process.execPath) };

/** Runs or continues one search; undefined if it could not be run. */
function runSearch(name: string, runtime: Runtime): { report: SearchReport | undefined; status: number } {
  const corpus = join(root, "out", "campaign", name);
  const out = `${corpus}.json`;
  mkdirSync(corpus, { recursive: true });
  const words = [
    join(root, "bin/perplab.js"),
    ...["fuzz", "run", ...KINDS[kind].args, "--seed", values.seed, "--tx", tx, "--corpus", corpus],
    ...["--format", "json", "--out", out, "--max-failures", "20"],
    ...(existsSync(join(corpus, "campaign.json")) ? ["--resume"] : []),
    ...(values.workers === undefined ? [] : ["--workers", values.workers]),
  ];
  // Runs for hours: its output is shown as it is printed.
  const ended = spawnSync(join(runtime.folder, "node"), words, { cwd: root, stdio: "inherit" });
  const status = ended.status ?? 1;
  return { report: status === 2 ? undefined : (JSON.parse(readFileSync(out, "utf8")) as SearchReport), status };
}

/** The essential part of a report, small enough to read. */
function summarize(version: string, report: SearchReport) {
  const { seed, profile, verdict, iterations, blocks, transactions, seconds, places, pool, violations } = report;
  const { failures, missing, digest, marks, invariants } = report;
  const rate = Math.round(transactions / Math.max(1, seconds));
  const watched = invariants.length;
  const quiet = invariants.filter(({ met }) => met === 0).map(({ id }) => id);
  return {
    node: version,
    ...{ seed, profile, verdict, iterations, blocks, transactions, seconds: Math.round(seconds), rate, places, pool },
    ...{ watched, quiet, violations, failures, missing, digest, marks },
  };
}

function write(results: readonly ReturnType<typeof summarize>[], verdict: string): void {
  const path = join(root, "docs", "evidence", `campaign-${kind}`);
  // The path of the project on this machine does not belong in a report.
  const json = JSON.stringify({ kind, verdict, results }, undefined, 2).replaceAll(`${root}${sep}`, "");
  writeAtomic(`${path}.json`, `${json}\n`);
  const lines = results.map(
    (result) =>
      `| ${result.node} | ${result.transactions} | ${result.blocks} | ${result.iterations} | ${result.seconds} | ${result.rate} | ${result.places} | ${result.failures.length} | \`${result.digest.slice(0, 16)}\` |`,
  );
  const head = [
    "| Node | transactions | blocks | cases | seconds | a second | places | failures | digest |",
    "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |",
  ];
  const text = [`# Campaign: ${kind}`, "", `Verdict: ${verdict}.`, "", ...head, ...lines, ""].join("\n");
  writeFileSync(`${path}.md`, text);
  console.log(text);
}

if (kind === "digests") {
  const runtimes = [installRuntime(NODE_VERSIONS.oldest), own, installRuntime(NODE_VERSIONS.newest)];
  const results = runtimes.flatMap((runtime) => {
    const report = runtime === undefined ? undefined : runSearch(`digests-${runtime.version}`, runtime).report;
    return report === undefined ? [] : [summarize(runtime!.version, report)];
  });
  const marks = new Set(results.map(({ digest, marks: own }) => JSON.stringify([digest, own])));
  const verdict = results.length < 2 ? "only one runtime ran" : marks.size === 1 ? "the same on each" : "they differ";
  write(results, verdict);
  process.exitCode = results.length < 2 ? 3 : marks.size === 1 ? 0 : 4;
} else {
  const { report, status } = runSearch(kind, own);
  if (report !== undefined) write([summarize(own.version, report)], report.verdict);
  process.exitCode = status;
}
