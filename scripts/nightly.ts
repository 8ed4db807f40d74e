/**
 * The checks that take too long for each change: long searches, their digests on every supported Node, planted bugs,
 * mutants and restarts. Adds a line to `docs/evidence/nightly.jsonl`, writes the page of trends next to it, and prints
 * the figures that are worse than the night before. Both files are written after every step.
 *
 *     npm run nightly                                     everything, in full size: some eleven hours on two cores
 *     npm run nightly -- --size 0.001                     a thousandth of each
 *     npm run nightly -- --steps search,restarts          some steps
 *     npm run nightly -- --seed 7                         another seed for the searches; default: the commit
 *     npm run nightly -- --out out/nightly                the history and the page in another folder
 *     npm run nightly -- --search "--redis redis://queue" options for the searches, here: on the workers of a queue
 *
 * The workers of a queue need this commit. The step that compares Node lines runs on this machine in any case.
 *
 * Exits 1 if a step failed or something is worse, 2 for a wrong option.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { closeSync, existsSync, mkdirSync, openSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { writeAtomic } from "../src/proof/fuzz/corpus/atomic.ts";
import { type Night, readNights, type StepResult } from "./nightly/night.ts";
import { renderNights } from "./nightly/page.ts";
import { findRegressions } from "./nightly/regressions.ts";
import { NIGHTLY_STEPS, type NightlyStep, type RunProgram } from "./nightly/steps.ts";
import { root } from "./runtimes.ts";

const { values } = parseArgs({
  options: {
    size: { type: "string", default: "1" },
    steps: { type: "string" },
    seed: { type: "string", default: "commit" },
    out: { type: "string", default: join(root, "docs/evidence") },
    search: { type: "string", default: "" },
  },
});
const size = Number(values.size);
if (!(size > 0 && size <= 1)) fail(`--size must be above 0 and at most 1, not ${values.size}`);
const wanted = values.steps?.split(",").map((name) => name.trim());
for (const name of wanted ?? []) {
  const known = NIGHTLY_STEPS.map(({ id }) => id);
  if (!known.includes(name)) fail(`--steps has ${name}; the steps are ${known.join(", ")}`);
}

const scratch = join(root, "out/nightly");
mkdirSync(scratch, { recursive: true });
const history = join(resolve(values.out), "nightly.jsonl");
const nights = existsSync(history) ? readNights(readFileSync(history, "utf8")) : [];

const begun: Omit<Night, "steps"> = {
  date: new Date().toISOString().slice(0, 10),
  commit: execFileSync("git", ["rev-parse", "HEAD"], { cwd: root, encoding: "utf8" }).trim(),
  node: process.versions.node,
  cores: availableParallelism(),
  size,
  seed: values.seed,
};
mkdirSync(resolve(values.out), { recursive: true });
let night: Night = { ...begun, steps: [] };
for (const step of NIGHTLY_STEPS.filter(({ id }) => wanted?.includes(id) ?? true)) {
  night = { ...night, steps: [...night.steps, runStep(step)] };
  // After every step, so that a night that is stopped keeps what it has.
  writeAtomic(history, [...nights, night].map((one) => `${JSON.stringify(one)}\n`).join(""));
  writeAtomic(join(resolve(values.out), "nightly.md"), renderNights([...nights, night]));
}

const regressions = findRegressions(nights, night);
for (const line of regressions) console.log(`regression: ${line}`);
console.log(regressions.length === 0 ? "nothing is worse" : `${regressions.length} regressions`);
process.exitCode = regressions.length === 0 ? 0 : 1;

function runStep(step: NightlyStep): StepResult {
  const folder = join(scratch, step.id.replaceAll(" ", "-"));
  mkdirSync(folder, { recursive: true });
  const log = openSync(join(folder, "log.txt"), "w");
  const run: RunProgram = (runtime, words) => {
    const ended = spawnSync(join(runtime.folder, "node"), words, { cwd: root, stdio: ["ignore", log, log] });
    return { status: ended.status ?? 1 };
  };
  const start = performance.now();
  console.log(`${step.id}: its output is in out/nightly`);
  const search = values.search.split(" ").filter((word) => word !== "");
  const outcome = step.run({ size, seed: values.seed, folder, run, search });
  closeSync(log);
  const seconds = Math.round((performance.now() - start) / 1000);
  console.log(`${step.id}: ${outcome.verdict} after ${seconds} s ${JSON.stringify(outcome.figures)}`);
  return { id: step.id, seconds, ...outcome };
}

function fail(message: string): never {
  console.error(message);
  process.exit(2);
}
