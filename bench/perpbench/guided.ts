/**
 * A search for one bug in the copy that mutates and continues cases which reached something new, as a campaign does.
 */
import { Campaign } from "../../src/proof/fuzz/campaign/campaign.ts";
import { createExecutor } from "../../src/proof/fuzz/campaign/execute.ts";
import type { SearchProfile } from "../../src/proof/fuzz/campaign/profiles.ts";
import { runCase } from "../../src/proof/fuzz/run/runCase.ts";
import type { FuzzViolation } from "../../src/proof/fuzz/run/violation.ts";
import type { CaseOutcome } from "./search.ts";

/** Guidance of a search besides new places: see `SearchProfile.slack` and `starts`. */
export const GUIDANCES = ["none", "slack", "starts", "both"] as const;
export type Guidance = (typeof GUIDANCES)[number];

/** The same checks and case lengths as the search without guidance. */
const PROFILE = {
  about: "",
  lengths: [120, 400, 1_200, 4_000],
  fresh: 30,
  swarm: 50,
  again: 5,
  restored: 5,
  metamorphic: 0,
  thorough: 0,
  sweepEvery: 10,
  heavyEvery: 50,
  canaries: false,
  transactions: 0,
  timeMs: 0,
} as const;
/** Share of cases that start at a moment of another, percent. */
const STARTS = 50;

export interface GuidedOptions {
  readonly seed: number;
  readonly budget: number;
  readonly model: boolean;
  readonly guidance: Guidance;
}

/** Searches until a finding or the end of the budget. */
export async function searchGuided({ seed, budget, model, guidance }: GuidedOptions): Promise<CaseOutcome> {
  const slack = guidance === "slack" || guidance === "both";
  const starts = guidance === "starts" || guidance === "both" ? STARTS : 0;
  const profile: SearchProfile = { ...PROFILE, slack, starts };
  const { sweepEvery, heavyEvery } = profile;
  const execute = await createExecutor({ invariants: "", userInvariants: [], model, sweepEvery, heavyEvery, slack });
  const campaign = new Campaign(seed, profile);
  let transactions = 0;
  while (transactions < budget) {
    const jobs = campaign.plan();
    const results = [];
    for (const job of jobs) {
      const result = execute(job);
      results.push(result);
      transactions += result.transactions;
      if (result.violation !== undefined)
        return { transactions, finding: result.violation, chronicle: record(job.given, result.violation) };
      if (transactions >= budget) break;
    }
    campaign.take(jobs, results, Number.POSITIVE_INFINITY);
  }
  return { transactions };
}

/** Records the blocks of a case up to its failure. */
function record(given: Parameters<typeof runCase>[0], { height }: FuzzViolation): CaseOutcome["chronicle"] {
  const { chronicle } = runCase(given, { oracles: { watch: false }, records: true });
  return { ...chronicle!, blocks: chronicle!.blocks.filter((block) => block.height <= height) };
}
