import { join } from "node:path";
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
};
