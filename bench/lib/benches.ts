import { join } from "node:path";
import type { OracleName } from "../mutation/oracles/openCopy.ts";
import type { BenchCopy } from "./benchTask.ts";

/** A copy of the sources that is there, and the module that runs its jobs. */
export interface OpenedBench extends BenchCopy {
  readonly worker: string;
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
};

/** @param words number of mutants and seed */
async function openMutants(oracle: OracleName, words: readonly string[]): Promise<OpenedBench> {
  const bench = `mutation-${oracle}`;
  const [count = 400, seed = 1, ...others] = words.map(Number);
  if (others.length > 0 || ![count, seed].every((one) => Number.isSafeInteger(one) && one > 0)) {
    throw new Error(`${bench} may have a number of mutants and a seed, as in: ${bench} 400 1`);
  }
  const { openOracleCopy } = await import("../mutation/oracles/openCopy.ts");
  const { hash, worker } = openOracleCopy(oracle, count, seed);
  return { bench, version: hash, worker };
}
