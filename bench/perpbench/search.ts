/** The search that runs for every bug and every mutant: the same cases, the same oracles. */

import { Random } from "../../src/ground/math/random.ts";
import type { FuzzCase } from "../../src/proof/fuzz/case/fuzzCase.ts";
import type { Chronicle } from "../../src/proof/fuzz/case/resolveCase.ts";
import { drawCase } from "../../src/proof/fuzz/draw/drawCase.ts";
import { runCase } from "../../src/proof/fuzz/run/runCase.ts";
import type { Subject } from "../../src/proof/fuzz/run/source.ts";
import type { FuzzViolation } from "../../src/proof/fuzz/run/violation.ts";
import type { WatchOptions } from "../../src/proof/invariants/machinery/watching/watch.ts";

/** A finding of a case. */
export type Finding = Pick<FuzzViolation, "invariant" | "height" | "observed" | "entity" | "index"> & {
  readonly kind: string;
};

export interface SearchOptions {
  /** The case ends with the block that reaches this number of transactions. */
  readonly most?: number;
  /** True to run the reference model in lock step. */
  readonly model?: boolean;
  /** True to run the case a second time, and with restarts. */
  readonly repeats?: boolean;
  /** True to check that damaged input made from the case is refused. */
  readonly damaged?: boolean;
  /** Frequency of sweeps. Default: rare, as in a campaign. */
  readonly watch?: WatchOptions;
}

export interface CaseOutcome {
  readonly transactions: number;
  readonly finding?: Finding | undefined;
  /** The blocks up to the finding. */
  readonly chronicle?: Chronicle | undefined;
}

/**
 * Lengths of cases in genes, alternating: short cases visit many venues, long ones accumulate state. Sums over several
 * markets, subaccounts and days need some thousand genes. Seven lengths and two profiles meet in every combination.
 */
const LENGTHS = [120, 400, 1_200, 120, 400, 1_200, 4_000] as const;
/** Every transaction is checked; sweeps and expensive checks run at intervals of blocks. */
const WATCHED = { sweepEvery: 10, heavyEvery: 50 } as const;
/** One case in this many runs again. */
const REPEAT_EVERY = 20;

/** Draws the case with a number. */
export function drawNumbered(number: number): FuzzCase {
  const random = Random.ofSeed([number | 0, 0x9e37, 0xbe4c, ~number]);
  const profile = number % 2 === 0 ? "uniform" : "swarm";
  return drawCase(random, { profile, length: LENGTHS[number % LENGTHS.length]! });
}

/** True if the case with this number runs again. */
export function isRepeated(number: number): boolean {
  return number % REPEAT_EVERY === 0;
}

/** Runs a case, or explicit blocks, up to the first violation or the end. */
export function searchCase(subject: Subject, options: SearchOptions = {}): CaseOutcome {
  const { most, model = false, repeats = false, damaged = false, watch = WATCHED } = options;
  const oracles = { watch, model, again: repeats, restored: repeats, damaged };
  const limit = most === undefined ? {} : { maxTransactions: most };
  const { transactions, violation, chronicle } = runCase(subject, { oracles, records: true, ...limit });
  return violation === undefined ? { transactions } : { transactions, finding: violation, chronicle };
}
