/**
 * Explores the worlds of `scenarios/worlds` with all invariants and the model, and writes docs/evidence/explore.json
 * and .md: what was explored, how deep, at which cost, and with which checks.
 *
 *     npm run campaign:explore                        to the depth of `npm run explore`
 *     npm run campaign:explore -- --nightly           to the depth of `npm run explore:nightly`
 *     npm run campaign:explore -- --workers 1         one start after the other
 *
 * Stores every finished start and resumes after a stop, as long as the sources and its world are the same. The page
 * has the deepest exploration of each start: after a night that was stopped, the first command adds what it finished.
 * Exits 1 if something is broken.
 */
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { compileScenario } from "../../src/product/scenario/compile/compileScenario.ts";
import { LEFT_OUT } from "../../src/proof/fuzz/explore/world/columns.ts";
import { openWorlds } from "../../src/proof/fuzz/explore/world/worlds.ts";
import { invariants } from "../../src/proof/invariants/list.ts";
import { hashFolder } from "../lib/hashFolder.ts";
import { appendLine, readLines, runJobs } from "../lib/jobs.ts";
import type { ExploreJob, ExploreRow } from "./job.ts";
import { type Figures, findDeepest, renderPage, writeFigures } from "./page.ts";

type Kept = ExploreRow & { readonly version: string };

const { values } = parseArgs({
  options: {
    nightly: { type: "boolean", default: false },
    workers: { type: "string", default: String(availableParallelism()) },
  },
});
const workers = Number(values.workers);
if (!Number.isInteger(workers) || workers < 1) {
  console.error(`--workers must be a whole number above 0, not ${values.workers}`);
  process.exit(2);
}

const root = join(import.meta.dirname, "..", "..");
process.chdir(root);
const worlds = readdirSync("scenarios/worlds")
  .sort()
  .flatMap((file) => openWorlds([compileScenario(`scenarios/worlds/${file}`)], false));
const jobs = worlds.flatMap(({ file, explore, starts }) =>
  starts.map((_, place): ExploreJob => {
    return { world: file, place, depth: values.nightly ? explore.nightly : explore.depth };
  }),
);

const hashOf = (...parts: readonly string[]) => createHash("sha256").update(parts.join()).digest("hex").slice(0, 16);
const sources = hashFolder(join(root, "src"));
const version = hashOf(sources, hashFolder(join(root, "scenarios/worlds")));
/** What decides a row: the sources and its own world. */
const versionOf = (world: string) => hashOf(sources, readFileSync(world, "utf8"));
const progress = join(root, "out", "explore.jsonl");
const nameOf = ({ world, place, depth }: ExploreJob) => `${world} ${place} ${depth}`;
const kept = new Map<string, ExploreRow>(
  readLines<Kept>(progress)
    .filter((line) => line.version === versionOf(line.world))
    .map(({ version: _, ...row }) => [nameOf(row), row]),
);
await runJobs<ExploreJob, ExploreRow>({
  worker: join(import.meta.dirname, "worker.ts"),
  workers,
  jobs: jobs.filter((job) => !kept.has(nameOf(job))),
  patience: 4 * 3600,
  lost(job, why) {
    throw new Error(`${nameOf(job)}: the exploration ended with a ${why}`);
  },
  onDone(row) {
    kept.set(nameOf(row), row);
    appendLine(progress, { ...row, version: versionOf(row.world) });
    console.log(`${row.world} ${row.start}: ${row.states} states, ${row.transitions} blocks, ${row.seconds} s`);
    for (const fault of row.broken) console.log(`  ${fault}`);
  },
});

// In the order of the worlds, not of completion.
const rows = jobs.map((job) => findDeepest([...kept.values()], job));
const out = join(root, "docs", "evidence", "explore");
mkdirSync(join(out, ".."), { recursive: true });
const idsOf = (heavy: boolean) => invariants.filter((one) => (one.heavy === true) === heavy).map(({ id }) => id);
const figures: Figures = { version, light: idsOf(false), heavy: idsOf(true), leftOut: LEFT_OUT, rows };
writeFileSync(`${out}.json`, writeFigures(figures));
writeFileSync(`${out}.md`, renderPage(figures));
const broken = rows.reduce((sum, row) => sum + row.broken.length, 0);
console.log(broken === 0 ? "everything held" : `${broken} broken`);
process.exitCode = broken === 0 ? 0 : 1;
