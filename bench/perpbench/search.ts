/** The search that every bug and every mutant meets: the same cases, the same oracles. */
import { applyBlock, type BlockResult } from "../../src/engine/applyBlock.ts";
import { createVenue } from "../../src/engine/genesis.ts";
import { Flow } from "../../src/generators/flow.ts";
import { Watch } from "../../src/invariants/watch.ts";
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

/** Blocks of a generated case. */
const BLOCKS = 150;
/** Every moment is looked at; everything, and what costs more than a block, every so many blocks. */
const SWEEP_EVERY = 10;
const HEAVY_EVERY = 50;
/** Digests of so many blocks of a case are looked at (T07): they cost more than the blocks. */
const DIGEST_EVERY = 50;

/** Runs the case of a seed up to its first violation, or so many transactions. */
export function runSeed(seed: number, most: number): CaseOutcome {
  const flow = new Flow(seed);
  const state = createVenue(flow.genesis);
  const watch = new Watch(state, { sweepEvery: SWEEP_EVERY, heavyEvery: HEAVY_EVERY });
  const digester = createDigester(signingDomainOf(flow.genesis));
  let transactions = 0;
  for (let count = 0; count < BLOCKS && transactions < most; count++) {
    const block = flow.next(state);
    const { height } = block;
    transactions += block.transactions.length;
    let result: BlockResult;
    try {
      result = applyBlock(state, block, watch.probe);
    } catch (error) {
      const observed = String((error as Error).message);
      return { transactions, finding: { kind: "throw", invariant: "nothingThrows", height, observed } };
    }
    const [violation] = watch.check(state, block, result);
    if (violation !== undefined) {
      const { invariant, observed } = violation;
      return { transactions, finding: { kind: "invariant", invariant, height, observed } };
    }
    const unbound = height % DIGEST_EVERY === 1 ? findUnbound(digester, block) : undefined;
    if (unbound !== undefined) {
      return { transactions, finding: { kind: "invariant", invariant: "T07", height, observed: unbound } };
    }
  }
  return { transactions };
}
