import { countGenes } from "../case/fuzzCase.ts";
import type { Campaign, Found, Taken } from "./campaign.ts";
import type { JobResult } from "./execute.ts";
import { type Job, orderByCost } from "./job.ts";
import type { Crew, TimedOutJob } from "./workerPool.ts";

/** When a campaign ends. */
export interface Budget {
  /** With the iteration in which there were as many transactions. */
  readonly transactions: number;
  /** Asked between iterations: nothing further is begun once it says so. */
  readonly isOver: () => boolean;
}

/** What is told after each round. */
export interface Round {
  readonly found: readonly Found[];
  readonly taken: readonly Taken[];
  /** All its iterations were done: where the campaign stands can be written. */
  readonly isWhole: boolean;
  /** A case that did not end in time: with it the campaign ends. */
  readonly timedOut?: TimedOutJob;
}

/**
 * Runs a campaign, round after round, until its budget is used up, `onRound` says that it is enough, or a case does not end.
 *
 * The same campaign with the same number of transactions does the same, whoever the crew is.
 */
export async function runCampaign(
  campaign: Campaign,
  crew: Crew,
  { transactions, isOver }: Budget,
  onRound: (round: Round) => "go on" | "enough",
): Promise<void> {
  while (campaign.transactions < transactions && !isOver()) {
    const jobs = campaign.plan();
    let counted = 0;
    let planned = campaign.transactions;
    const isEnough = (first: readonly JobResult[]) => {
      for (; counted < first.length; counted++) planned += first[counted]!.transactions;
      return planned >= transactions || isOver();
    };
    // Near the end only as much is begun as is needed: in order.
    const isLast = campaign.transactions + countMost(jobs) >= transactions;
    const { results, timedOut } = await crew.run(jobs, isEnough, isLast ? undefined : orderByCost(jobs));
    const before = campaign.iteration;
    const { found, taken } = campaign.take(jobs, results, transactions);
    const isWhole = campaign.iteration - before === jobs.length;
    const round = { found, taken, isWhole, ...(timedOut === undefined ? {} : { timedOut }) };
    if (onRound(round) === "enough" || timedOut !== undefined) return;
  }
}

/** About as many transactions as jobs can have: recipes and reports of prices put more than one into a gene. */
function countMost(jobs: readonly Job[]): number {
  return 2 * jobs.reduce((sum, { given }) => sum + countGenes(given), 0);
}
