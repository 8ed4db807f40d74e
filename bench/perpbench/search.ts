/** The search that every bug and every mutant meets: the same cases, the same oracles. */

import { Random } from "../../src/ground/math/random.ts";
import type { FuzzCase } from "../../src/proof/fuzz/case/fuzzCase.ts";
import type { Chronicle } from "../../src/proof/fuzz/case/resolveCase.ts";
import { drawCase } from "../../src/proof/fuzz/draw/drawCase.ts";
import { runCase } from "../../src/proof/fuzz/run/runCase.ts";
import type { Subject } from "../../src/proof/fuzz/run/source.ts";
import type { FuzzViolation } from "../../src/proof/fuzz/run/violation.ts";
import type { WatchOptions } from "../../src/proof/invariants/watch.ts";

/** How a case ended badly. */
export type Finding = Pick<FuzzViolation, "invariant" | "height" | "observed" | "entity" | "index"> & {
  readonly kind: string;
};

export interface SearchOptions {
  /** The case ends with the block in which there were as many transactions. */
  readonly most?: number;
  /** The reference model runs beside the venue. */
  readonly model?: boolean;
  /** The case is run a second time, and with the venue written and read in between. */
  readonly repeats?: boolean;
  /** What is malformed of the case is seen to be refused, too. */
  readonly spoilt?: boolean;
  /** How often everything is looked at. Default: seldom, as in a campaign. */
  readonly watch?: WatchOptions;
}

export interface CaseOutcome {
  readonly transactions: number;
  readonly finding?: Finding | undefined;
  /** What was run, up to the finding. */
  readonly chronicle?: Chronicle | undefined;
}

/** Genes of a case, by turns: short ones see many venues, long ones see what builds up. */
const LENGTHS = [120, 400, 1_200] as const;
/** Every moment is looked at; everything, and what costs more than a block, every so many blocks. */
const WATCHED = { sweepEvery: 10, heavyEvery: 50 } as const;
/** One case in so many is run again. */
const REPEAT_EVERY = 20;

/** The case of a number. */
export function drawNumbered(number: number): FuzzCase {
  const random = Random.ofSeed([number | 0, 0x9e37, 0xbe4c, ~number]);
  const profile = number % 2 === 0 ? "uniform" : "swarm";
  return drawCase(random, { profile, length: LENGTHS[number % LENGTHS.length]! });
}

/** Whether the case of a number is one of those that are run again. */
export function isRepeated(number: number): boolean {
  return number % REPEAT_EVERY === 0;
}

/** Runs a case, or the blocks of one, up to its first violation or its end. */
export function searchCase(subject: Subject, options: SearchOptions = {}): CaseOutcome {
  const { most, model = false, repeats = false, spoilt = false, watch = WATCHED } = options;
  const oracles = { watch, model, again: repeats, restored: repeats, spoilt };
  const limit = most === undefined ? {} : { maxTransactions: most };
  const { transactions, violation, chronicle } = runCase(subject, { oracles, records: true, ...limit });
  return violation === undefined ? { transactions } : { transactions, finding: violation, chronicle };
}
