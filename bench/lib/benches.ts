import { join } from "node:path";
import type { Connection } from "../../src/product/cluster/queue/connection.ts";
import type { OracleName } from "../mutation/oracles/openCopy.ts";
import type { BenchCopy } from "./benchTask.ts";

/** A copy of the sources that is there, and the module that runs its jobs. */
export interface OpenedBench extends BenchCopy {
  readonly worker: string;
  /** Makes the message to a process from a job as it was sent. Default: they are the same. */
  prepare?(connection: Connection, job: unknown): Promise<unknown>;
}

/** Benches whose jobs workers run: each makes its copy from this clone, as the words of its options say. */
export const BENCHES: Readonly<Record<string, (words: readonly string[]) => Promise<OpenedBench>>> = {
  async perpbench(words) {
    if (words.length > 0) throw new Error(`perpbench has no option ${words[0]}`);
    const { openCopy } = await import("../perpbench/buildCopy.ts");
    const { version, folder } = openCopy();
    return { bench: "perpbench", version, worker: join(folder, "bench", "perpbench", "worker.ts") };
  },
  "mutation-scenarios": (words) => openMutants("scenarios", words),
  "mutation-tests": (words) => openMutants("tests", words),
  async "mutation-search"(words) {
    const { MUTANTS_USUAL, readNamedDraw } = await import("../mutation/searchDraw.ts");
    const named = readNamedDraw(words);
    const counts = named ? undefined : readCounts("mutation-search", words, MUTANTS_USUAL);
    const { openSearchCopy } = await import("../mutation/openSearchCopy.ts");
    const { prepareKill } = await import("../mutation/sentKill.ts");
    const { bench, worker, cases } = openSearchCopy(
      named ?? { mutants: counts!.count, seed: counts!.seed, missedBy: [], triedBy: [] },
    );
    return { ...bench, worker, prepare: (connection, job) => prepareKill(connection, cases, job) };
  },
};

/** @param words number of mutants and seed */
async function openMutants(oracle: OracleName, words: readonly string[]): Promise<OpenedBench> {
  const bench = `mutation-${oracle}`;
  const { count, seed } = readCounts(bench, words, 400);
  const { openOracleCopy } = await import("../mutation/oracles/openCopy.ts");
  const { hash, worker } = openOracleCopy(oracle, count, seed);
  return { bench, version: hash, worker };
}

function readCounts(bench: string, words: readonly string[], usual: number): { count: number; seed: number } {
  const [count = usual, seed = 1, ...others] = words.map(Number);
  if (others.length > 0 || ![count, seed].every((one) => Number.isSafeInteger(one) && one > 0)) {
    throw new Error(`${bench} may have a number of mutants and a seed, as in: ${bench} ${usual} 1`);
  }
  return { count, seed };
}
