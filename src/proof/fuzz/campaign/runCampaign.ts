import { countGenes } from "../case/fuzzCase.ts";
import type { Campaign, Found, Taken } from "./campaign.ts";
import type { JobResult } from "./execute.ts";
import { type Job, orderByCost } from "./job.ts";
import type { Crew, ShiftPlan, TimedOutJob } from "./workerPool.ts";

/** Limits of a campaign. */
export interface Budget {
  /** The campaign ends with the iteration that reaches this many transactions. */
  readonly transactions: number;
  /** Called between iterations; once it returns true, no further iteration starts. */
  readonly isOver: () => boolean;
  /** The first failure ends the campaign, within its round. */
  readonly failFast?: boolean;
}

/** Result of a round, passed to `onRound`. */
export interface Round {
  readonly found: readonly Found[];
  readonly taken: readonly Taken[];
  /** True if all iterations of the round ran, so that the campaign can be saved. */
  readonly isWhole: boolean;
  /** A case that exceeded its time limit. It ends the campaign. */
  readonly timedOut?: TimedOutJob;
}

/**
 * Runs round after round until the budget is used up, `onRound` returns false, or a case exceeds its time limit.
 *
 * The same campaign with the same number of transactions gives the same result with any crew.
 */
export async function runCampaign(
  campaign: Campaign,
  crew: Crew,
  { transactions, isOver, failFast = false }: Budget,
  onRound: (round: Round) => "continue" | "enough",
): Promise<void> {
  const rate = new GeneRate();
  while (campaign.transactions < transactions && !isOver()) {
    const jobs = campaign.plan();
    let counted = 0;
    let planned = campaign.transactions;
    const isEnough = (first: readonly JobResult[]) => {
      for (; counted < first.length; counted++) planned += first[counted]!.transactions;
      return planned >= transactions || isOver() || (failFast && first.some(hasFailed));
    };
    const needed = rate.countNeeded(jobs, transactions - campaign.transactions);
    const isLast = needed < jobs.length;
    const plan: ShiftPlan = {
      // The first failure ends the campaign: the jobs before it come first.
      ...(failFast ? {} : { order: orderByCost(jobs, needed) }),
      ...(isLast ? {} : { ahead: campaign.planAhead() }),
    };
    const { results, timedOut } = await crew.run(jobs, isEnough, plan);
    rate.add(results);
    const before = campaign.iteration;
    // Jobs that other threads had begun do not count: the result is the same with any crew.
    const failed = failFast ? results.findIndex(hasFailed) : -1;
    const counting = failed < 0 ? results : results.slice(0, failed + 1);
    const { found, taken } = campaign.take(jobs, counting, transactions);
    const isWhole = campaign.iteration - before === jobs.length;
    const round = { found, taken, isWhole, ...(timedOut === undefined ? {} : { timedOut }) };
    if (onRound(round) === "enough" || timedOut !== undefined) return;
  }
}

function hasFailed({ violation }: JobResult): boolean {
  return violation !== undefined;
}

/** Transactions that a gene makes, measured over the cases so far. It decides in which order jobs start, no result. */
class GeneRate {
  #transactions = 0;
  #genes = 0;

  add(results: readonly JobResult[]): void {
    for (const { transactions, genes } of results) {
      this.#transactions += transactions;
      this.#genes += genes;
    }
  }

  /** Returns how many jobs, in order, it probably takes to make this many transactions. */
  countNeeded(jobs: readonly Job[], transactions: number): number {
    const rate = this.#genes === 0 ? 1 : this.#transactions / this.#genes;
    let left = transactions;
    for (const [at, { given }] of jobs.entries()) {
      if (left <= 0) return at;
      left -= countGenes(given) * rate;
    }
    return jobs.length;
  }
}
