/**
 * Sends 100,000 requests to the service, valid and hostile, half of them over HTTP, between trades. An engine applies
 * the same trades in lock step. Results are in `docs/evidence`. A stopped run continues on the next start.
 *
 *     npm run campaign:contract                       100,000 requests
 *     npm run campaign:contract -- --requests 10000   another number
 *
 * Exits with 1 if an answer broke the contract or differed from the engine.
 */
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { writeAtomic } from "../src/proof/fuzz/corpus/atomic.ts";
import { carryOverHttp } from "../test/server/contract/carryOverHttp.ts";
import { runContract, type Tally } from "../test/server/contract/steps.ts";
import { root } from "./runtimes.ts";

const { values } = parseArgs({ options: { requests: { type: "string", default: "100000" } } });
const wanted = Number(values.requests);
/** Steps of one venue. */
const STEPS = 1_000;
const FIRST_SEED = 1_000;

interface Chunk extends Tally {
  readonly seed: number;
  readonly carrier: "process" | "http";
}

const folder = join(root, "out", "campaign", "contract");
const saved = join(folder, "chunks.json");
mkdirSync(folder, { recursive: true });
const chunks: Chunk[] = existsSync(saved) ? JSON.parse(readFileSync(saved, "utf8")) : [];
const sum = (of: (chunk: Chunk) => number) => chunks.reduce((total, chunk) => total + of(chunk), 0);
const asked = () => sum((chunk) => chunk.asked);

while (asked() < wanted && sum(({ faults }) => faults.length) === 0) {
  const seed = FIRST_SEED + chunks.length;
  const carrier = chunks.length % 2 === 0 ? "process" : "http";
  const tally = await runContract(seed, STEPS, carrier === "http" ? carryOverHttp : undefined);
  chunks.push({ seed, carrier, ...tally });
  writeAtomic(saved, JSON.stringify(chunks));
  console.log(`${asked()}/${wanted}: seed ${seed} by ${carrier}, ${tally.faults.length} faults`);
  for (const fault of tally.faults) console.log(fault);
}

const statuses: Record<string, number> = {};
const operations = new Set<string>();
for (const { answers } of chunks) {
  for (const [name, count] of Object.entries(answers)) {
    const [operation, status] = name.split(" ") as [string, string];
    statuses[status] = (statuses[status] ?? 0) + count;
    if (operation !== "none") operations.add(operation);
  }
}
const faults = sum((chunk) => chunk.faults.length);
const report = {
  kind: "contract",
  node: process.versions.node,
  verdict: faults > 0 ? "failed" : asked() >= wanted ? "passed" : "unfinished",
  requests: asked(),
  /** Compared with the model in full. */
  compared: sum(({ compared }) => compared),
  overHttp: chunks.reduce((total, chunk) => total + (chunk.carrier === "http" ? chunk.asked : 0), 0),
  venues: chunks.length,
  firstSeed: FIRST_SEED,
  lastSeed: FIRST_SEED + chunks.length - 1,
  operations: operations.size,
  statuses,
  faults,
};
writeAtomic(join(root, "docs", "evidence", "contract.json"), `${JSON.stringify(report, undefined, 2)}\n`);
console.log(JSON.stringify(report));
process.exitCode = faults === 0 ? 0 : 1;
