import type { Nearest } from "../../invariants/machinery/watching/watch.ts";
import { countGenes } from "../case/fuzzCase.ts";
import { Feedback } from "../feedback/feedback.ts";
import { type RunOptions, runCase } from "../run/runCase.ts";
import { StartingPoints } from "../run/startingPoints.ts";
import type { FuzzViolation } from "../run/violation.ts";
import { CANARIES } from "./canaries.ts";
import type { CanaryName } from "./canaryNames.ts";
import type { Job } from "./job.ts";
import { listWatched, type WatchedSetup } from "./loadSelected.ts";

/** Settings that all jobs of a campaign share. Plain data: it is sent to every thread. */
export interface Setup extends WatchedSetup {
  /** True if the reference model runs in lock step with the venue. */
  readonly model: boolean;
  readonly sweepEvery: number;
  readonly heavyEvery: number;
  /** True if a case with a new smallest slack enters the pool. */
  readonly slack: boolean;
  /** Fault planted in every job that does not name one itself. */
  readonly canary?: CanaryName;
}

/** Result of a job. Plain data. */
export interface JobResult {
  readonly iteration: number;
  readonly transactions: number;
  readonly blocks: number;
  readonly genes: number;
  readonly digest: string;
  /** As `CoverageMap.read` returns it. */
  readonly reached: Uint32Array;
  /** As in `CaseRun`. */
  readonly reachedAt: Uint16Array;
  readonly met: readonly (readonly [string, number])[];
  /** Invariants with a small slack, and the slack; see `Watch.nearest`. */
  readonly nearest: readonly (readonly [string, Nearest])[];
  readonly violation?: FuzzViolation;
}

/** Runs one job. `onBlock` receives the height of each block before the block is applied. */
export type Execute = (job: Job, onBlock?: (height: number) => void) => JobResult;

/**
 * Genes of a thorough case up to which its expensive checks run after every block. In a longer case they take turns
 * and run about as often as in one of this length. So a case of 12,000 genes does not hold up a round for a minute.
 */
const GENES_CHECKED_WHOLE = 400;

/** @throws FuzzError if invariants cannot be loaded */
export async function createExecutor(setup: Setup): Promise<Execute> {
  const { sweepEvery, heavyEvery, slack } = setup;
  const invariants = await listWatched(setup);
  const sampled = { invariants, sweepEvery, heavyEvery };
  const feedback = new Feedback();
  const points = new StartingPoints(setup.model);
  return ({ iteration, given, start, thorough, again, restored, metamorphic, canary = setup.canary }, onBlock) => {
    const heavyTurns = Math.ceil(countGenes(given) / GENES_CHECKED_WHOLE);
    const watch = thorough ? { invariants, heavyEvery: heavyTurns } : sampled;
    const begun = start === undefined ? undefined : points.begin(given, start);
    const options: RunOptions = {
      oracles: { watch, model: setup.model, again, restored, metamorphic },
      feedback,
      slack,
      ...(begun === undefined ? {} : { begun }),
      ...(canary === undefined ? {} : { plant: CANARIES[canary] }),
      ...(onBlock === undefined ? {} : { onBlock }),
    };
    const { violation, transactions, blocks, digest, reached, reachedAt, met, nearest } = runCase(given, options);
    return {
      iteration,
      transactions,
      blocks,
      genes: countGenes(given),
      digest,
      reached,
      reachedAt,
      met: [...met],
      nearest: [...nearest].filter(([, { distance }]) => Number.isFinite(distance)),
      ...(violation === undefined ? {} : { violation }),
    };
  };
}
