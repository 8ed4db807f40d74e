/** The search that every bug and every mutant meets: the same cases, the same oracles. */
import { applyBlock, type BlockResult } from "../../src/engine/applyBlock.ts";
import type { FuzzCase } from "../../src/fuzz/case/fuzzCase.ts";
import type { Chronicle } from "../../src/fuzz/case/resolveCase.ts";
import { LockStep } from "../../src/fuzz/differential/lockStep.ts";
import { drawCase } from "../../src/fuzz/draw/drawCase.ts";
import { joinProbes } from "../../src/fuzz/run/joinProbes.ts";
import { runCase } from "../../src/fuzz/run/runCase.ts";
import { openSource, type Subject } from "../../src/fuzz/run/source.ts";
import type { FuzzViolation } from "../../src/fuzz/run/violation.ts";
import { Watch } from "../../src/invariants/watch.ts";
import { Random } from "../../src/math/random.ts";
import type { Block } from "../../src/protocol/transaction.ts";
import { createDigester } from "../../src/protocol/typedDataDigest.ts";
import { signingDomainOf } from "../../src/simulation/signatures.ts";
import { findUnbound } from "./t07.ts";

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
}

export interface CaseOutcome {
  readonly transactions: number;
  readonly finding?: Finding | undefined;
  /** What was run, up to the finding. */
  readonly chronicle?: Chronicle | undefined;
}

/** Genes of a case, by turns: short ones see many venues, long ones see what builds up. */
const LENGTHS = [200, 600, 2_000] as const;
/** Every moment is looked at; everything, and what costs more than a block, every so many blocks. */
const WATCHED = { sweepEvery: 10, heavyEvery: 50 } as const;
/** Digests of a block in so many are looked at (T07), the first one of a case among them: they cost more than the blocks. */
const DIGEST_EVERY = 200;
/** One case in so many is run again. */
const REPEAT_EVERY = 20;

/** The case of a number. */
export function drawNumbered(number: number): FuzzCase {
  const random = new Random([number | 0, 0x9e37, 0xbe4c, ~number]);
  for (let warm = 0; warm < 16; warm++) random.int32(); // neighbouring numbers start alike
  const profile = number % 2 === 0 ? "uniform" : "swarm";
  return drawCase(random, { profile, length: LENGTHS[number % LENGTHS.length]! });
}

/** Whether the case of a number is one of those that are run again. */
export function isRepeated(number: number): boolean {
  return number % REPEAT_EVERY === 0;
}

/** Runs a case, or the blocks of one, up to its first violation or its end. */
export function searchCase(subject: Subject, options: SearchOptions = {}): CaseOutcome {
  const { most = Number.POSITIVE_INFINITY, model = false, repeats = false } = options;
  const blocks: Block[] = [];
  let transactions = 0;
  let height = 0;
  let chronicle: Chronicle | undefined;
  const end = (finding: Finding): CaseOutcome => ({ transactions, finding, chronicle });
  const thrown = (invariant: string, error: unknown) =>
    end({ kind: "throw", invariant, height, observed: String((error as Error).stack) });
  try {
    const source = openSource(subject);
    const { genesis } = source;
    chronicle = { genesis, blocks };
    const digester = createDigester(signingDomainOf(genesis));
    const twin = model ? new LockStep(genesis, "block", source.state) : undefined;
    let watched = source.state;
    let watch = new Watch(watched, WATCHED);
    while (transactions < most) {
      const block = source.next();
      if (block === undefined) break;
      const { state } = source;
      if (state !== watched) {
        watched = state;
        watch = new Watch(state, WATCHED);
      }
      height = block.height;
      transactions += block.transactions.length;
      blocks.push(block);
      let result: BlockResult;
      try {
        result = applyBlock(state, block, joinProbes(watch.probe, twin?.probe));
      } catch (error) {
        return thrown("nothingThrows", error);
      }
      const [violation] = watch.check(state, block, result);
      if (violation !== undefined) return end({ kind: "invariant", ...violation });
      const unbound = height % DIGEST_EVERY === 1 ? findUnbound(digester, block) : undefined;
      if (unbound !== undefined) return end({ kind: "invariant", invariant: "T07", height, observed: unbound });
      const differs = twin?.check(state, block);
      if (differs !== undefined) {
        const observed = `${differs.after}: ${differs.difference}`;
        return end({ kind: "model", invariant: "venueEqualsModel", height, observed });
      }
    }
  } catch (error) {
    // What draws a case asks the venue, too: a venue that cannot answer is broken.
    return thrown("casesRun", error);
  }
  if (!repeats) return { transactions };
  const { violation } = runCase(chronicle, { oracles: { watch: false, again: true, restored: true } });
  return violation === undefined ? { transactions } : end(violation);
}
