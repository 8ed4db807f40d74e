import fc from "fast-check";
import type { Carry, ContractStep } from "./contractRun.ts";
import { ContractRun } from "./contractRun.ts";
import { arbitraryDraft } from "./drafts.ts";
import { arbitraryTrade } from "./trades.ts";

/** A request of any kind, or a trade. */
const arbitraryStep: fc.Arbitrary<ContractStep> = fc.oneof(
  { weight: 5, arbitrary: arbitraryDraft.map((draft) => ({ draft })) },
  { weight: 1, arbitrary: arbitraryTrade.map((trade) => ({ trade })) },
);

/** What a venue was asked, and what it answered. */
export interface Tally {
  asked: number;
  /** Answers that were held to the model in full. */
  compared: number;
  /** By operation and status. */
  readonly answers: Record<string, number>;
  /** What broke the contract, with the request. */
  readonly faults: string[];
}

/**
 * Runs this many steps against a venue of its own, the same for the same seed. Continues after a fault, so that one run
 * reports all.
 *
 * @param carryTo how it is reached. Default: in this process
 */
export async function runContract(
  seed: number,
  steps: number,
  carryTo?: (run: Parameters<NonNullable<Parameters<typeof ContractRun.open>[0]>>[0]) => Promise<Carry>,
): Promise<Tally> {
  const run = await ContractRun.open(carryTo);
  const faults: string[] = [];
  try {
    for (const step of fc.sample(arbitraryStep, { seed, numRuns: steps })) {
      await run.step(step).catch((error: Error) => faults.push(error.message));
      if (faults.length >= 20) break;
    }
  } finally {
    await run.close();
  }
  return { asked: run.asked, compared: run.compared, answers: Object.fromEntries(run.answers), faults };
}
