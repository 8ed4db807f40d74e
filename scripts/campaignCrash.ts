/**
 * Kills a host under load 200 times, and each time checks the store that it left. Results are in `docs/evidence`. A
 * stopped run continues on the next start.
 *
 *     npm run campaign:crash                  200 cycles
 *     npm run campaign:crash -- --cycles 20   with another number; --out names another file
 *
 * Exits with 1 if an acknowledged transaction was lost or committed twice, or a venue differs from its blocks, and with
 * 3 if no transaction was acknowledged: then nothing was shown. The first cycle alone is such a run, since it kills the
 * host as soon as it is ready.
 */
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { writeAtomic } from "../src/proof/fuzz/corpus/atomic.ts";
import { type Cycle, runCrashCycle } from "../test/helpers/crashCycles.ts";
import { root } from "./runtimes.ts";

const { values } = parseArgs({
  options: {
    cycles: { type: "string", default: "200" },
    out: { type: "string", default: join(root, "docs", "evidence", "campaign-crash.json") },
  },
});
const wanted = Number(values.cycles);
/** Cycles per folder: its whole chain is replayed after each cycle. */
const CYCLES_PER_FOLDER = 20;

const folder = join(root, "out", "campaign", "crash");
const saved = join(folder, "cycles.json");
mkdirSync(folder, { recursive: true });
const cycles: Cycle[] = existsSync(saved) ? JSON.parse(readFileSync(saved, "utf8")) : [];

const isBad = ({ lost, twice, sameRoot }: Cycle) => lost > 0 || twice > 0 || !sameRoot;

while (cycles.length < wanted && !cycles.some(isBad)) {
  const directory = join(folder, `venue-${Math.floor(cycles.length / CYCLES_PER_FOLDER)}`);
  // Spread over the phases of start, load, and writing states; the same in every campaign.
  const cycle = await runCrashCycle(directory, (cycles.length * 137) % 600);
  cycles.push(cycle);
  writeAtomic(saved, JSON.stringify(cycles));
  const { acknowledged, lost, twice, height } = cycle;
  console.log(
    `${cycles.length}/${wanted}: ${acknowledged} acknowledged, ${lost} lost, ${twice} twice, height ${height}`,
  );
}

const sum = (of: (cycle: Cycle) => number) => cycles.reduce((total, cycle) => total + of(cycle), 0);
const bad = cycles.filter(isBad).length;
const acknowledged = sum((cycle) => cycle.acknowledged);
const verdict =
  bad > 0 ? "failed" : cycles.length < wanted ? "unfinished" : acknowledged === 0 ? "nothing shown" : "passed";
const report = {
  kind: "crash",
  node: process.versions.node,
  verdict,
  cycles: cycles.length,
  acknowledged,
  lost: sum(({ lost }) => lost),
  twice: sum(({ twice }) => twice),
  otherRoots: cycles.filter(({ sameRoot }) => !sameRoot).length,
};
writeAtomic(values.out, `${JSON.stringify(report, undefined, 2)}\n`);
console.log(JSON.stringify(report));
if (bad === 0) rmSync(folder, { recursive: true });
process.exitCode = bad > 0 ? 1 : verdict === "nothing shown" ? 3 : 0;
