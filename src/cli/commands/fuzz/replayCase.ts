import type { CanaryName } from "../../../proof/fuzz/campaign/canaryNames.ts";
import type { Setup } from "../../../proof/fuzz/campaign/execute.ts";
import type { NotedViolation } from "../../../proof/fuzz/campaign/failures.ts";
import type { FuzzCase } from "../../../proof/fuzz/case/fuzzCase.ts";

/** Options with which a case is replayed. */
export interface ReplaySettings {
  /** Patterns of invariants; "" for all. */
  readonly invariants: string;
  /** Absolute paths of modules. */
  readonly userInvariants: readonly string[];
  readonly model: boolean;
  readonly canary?: CanaryName;
  /** Time after which a case is given up. Default: none. */
  readonly caseMs?: number;
}

/** Result of one case. */
export interface Replayed {
  readonly transactions: number;
  readonly blocks: number;
  readonly digest: string;
  readonly violation: NotedViolation | null;
}

/** Runs one case with every check, in this thread, or where it may be given up, in another. */
export async function createReplay(settings: ReplaySettings): Promise<(given: FuzzCase) => Promise<Replayed>> {
  const { model, canary, caseMs, ...watchedSetup } = settings;
  const { listWatched } = await import("../../../proof/fuzz/campaign/loadSelected.ts");
  const invariants = await listWatched(watchedSetup);
  if (caseMs !== undefined) return replayInThread(settings, caseMs);
  const { runCase } = await import("../../../proof/fuzz/run/runCase.ts");
  const { CANARIES } = await import("../../../proof/fuzz/campaign/canaries.ts");
  return async (given) => {
    const { violation, transactions, blocks, digest } = runCase(given, {
      oracles: { watch: { invariants }, model, again: true, restored: true, metamorphic: true },
      ...(canary === undefined ? {} : { plant: CANARIES[canary] }),
    });
    const { findWriter } = await import("../../../proof/fuzz/campaign/findWriter.ts");
    const writer = violation === undefined ? undefined : findWriter(given, violation, { invariants, model, canary });
    return { transactions, blocks, digest, violation: writer ?? violation ?? null };
  };
}

async function replayInThread(
  { model, canary, invariants, userInvariants }: ReplaySettings,
  caseMs: number,
): Promise<(given: FuzzCase) => Promise<Replayed>> {
  const { createCrew } = await import("../../../proof/fuzz/campaign/workerPool.ts");
  const { createWorker } = await import("./createWorker.ts");
  const planted = canary === undefined ? {} : { canary };
  const setup: Setup = { invariants, userInvariants, model, sweepEvery: 1, heavyEvery: 1, slack: false, ...planted };
  return async (given) => {
    const crew = createCrew(1, caseMs, () => createWorker(setup));
    try {
      const job = { iteration: 0, given, thorough: true, again: true, restored: true, metamorphic: true };
      const { results, timedOut } = await crew.run([job], () => false);
      if (timedOut !== undefined) {
        const observed = `the case did not end within ${caseMs / 1000} s; this is the last block that had started`;
        const violation = { kind: "timedOut", invariant: "everythingEnds", height: timedOut.height, observed } as const;
        return { transactions: 0, blocks: timedOut.height, digest: "", violation };
      }
      const { violation, transactions, blocks, digest } = results[0]!;
      return { transactions, blocks, digest, violation: violation ?? null };
    } finally {
      await crew.close();
    }
  };
}
