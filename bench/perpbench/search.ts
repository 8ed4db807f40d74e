/** The search that every bug and every mutant meets: the same cases, the same oracles. */
import { applyBlock, type BlockResult } from "../../src/engine/applyBlock.ts";
import { CaseRunner } from "../../src/fuzz/case/caseRunner.ts";
import type { FuzzCase } from "../../src/fuzz/case/fuzzCase.ts";
import { drawCase } from "../../src/fuzz/draw/drawCase.ts";
import { Watch } from "../../src/invariants/watch.ts";
import { Random } from "../../src/math/random.ts";
import type { Block } from "../../src/protocol/transaction.ts";
import { createDigester } from "../../src/protocol/typedDataDigest.ts";
import { signingDomainOf } from "../../src/simulation/signatures.ts";
import { findUnbound } from "./t07.ts";

/** How a case ended badly. */
export interface Finding {
  readonly kind: string;
  readonly invariant: string;
  readonly height: number;
  readonly observed: string;
}

export interface CaseOutcome {
  readonly transactions: number;
  readonly finding?: Finding | undefined;
}

/** Genes of a case, by turns: short ones see many venues, long ones see what builds up. */
const LENGTHS = [200, 600, 2_000] as const;
/** Every moment is looked at; everything, and what costs more than a block, every so many blocks. */
const SWEEP_EVERY = 10;
const HEAVY_EVERY = 50;
/** Digests of so many blocks of a case are looked at (T07): they cost more than the blocks. */
const DIGEST_EVERY = 50;

/** The case of a number. */
export function drawNumbered(number: number): FuzzCase {
  const random = new Random([number | 0, 0x9e37, 0xbe4c, ~number]);
  for (let warm = 0; warm < 16; warm++) random.int32(); // neighbouring numbers start alike
  const profile = number % 2 === 0 ? "uniform" : "swarm";
  return drawCase(random, { profile, length: LENGTHS[number % LENGTHS.length]! });
}

/** Runs a case up to its first violation, or so many transactions. */
export function searchCase(given: FuzzCase, most: number): CaseOutcome {
  let transactions = 0;
  let height = 0;
  const end = (kind: string, invariant: string, observed: string): CaseOutcome => {
    return { transactions, finding: { kind, invariant, height, observed } };
  };
  try {
    const runner = new CaseRunner(given);
    const digester = createDigester(signingDomainOf(runner.genesis));
    let watch = new Watch(runner.state, { sweepEvery: SWEEP_EVERY, heavyEvery: HEAVY_EVERY });
    let crashes = 0;
    while (transactions < most) {
      const block: Block | undefined = runner.next();
      if (block === undefined) break;
      const { state } = runner;
      if (runner.crashes.length > crashes) {
        crashes = runner.crashes.length;
        watch = new Watch(state, { sweepEvery: SWEEP_EVERY, heavyEvery: HEAVY_EVERY });
      }
      height = block.height;
      transactions += block.transactions.length;
      let result: BlockResult;
      try {
        result = applyBlock(state, block, watch.probe);
      } catch (error) {
        return end("throw", "nothingThrows", String((error as Error).stack));
      }
      const [violation] = watch.check(state, block, result);
      if (violation !== undefined) return end("invariant", violation.invariant, violation.observed);
      const unbound = height % DIGEST_EVERY === 1 ? findUnbound(digester, block) : undefined;
      if (unbound !== undefined) return end("invariant", "T07", unbound);
    }
  } catch (error) {
    // What draws a case asks the venue, too: a venue that cannot answer is broken.
    return end("throw", "casesRun", String((error as Error).stack));
  }
  return { transactions };
}
