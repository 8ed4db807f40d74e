import { NONE } from "../../../ground/collections/table.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { TOTAL, TOTAL_NAMES } from "../../../venue/engine/state/totals.ts";
import type { ModelState } from "../../model/state.ts";
import type { Comparison, Same } from "./comparison.ts";

/** Compares the venue's totals, the payments of the insurance fund, and the use of the withdrawal limits. */
export function compareGates(comparison: Comparison, venue: State, model: ModelState): void {
  if (comparison.isFull) return;
  const { outflow, totals, height } = venue;
  for (const name of TOTAL_NAMES) comparison.same(`total ${name}`, totals.get(TOTAL[name]), model.totals[name]);
  comparison.same("withdrawals paused until", outflow.pausedUntil, model.outflow.pausedUntil);
  // Without a pause rule there are no deficits to count.
  if (outflow.deficitBlocks !== 0)
    comparison.same("deficits of the block (MRG-5)", outflow.getUncovered(height), model.outflow.unpaid);
  const { hourly, daily } = model.outflow;
  for (const [place, { number, cap, left }] of [hourly, daily].entries()) {
    const window = outflow.windows[place]!;
    if (!window.isCapped) continue;
    const same = comparison.of(() => `outflow of the ${place === 0 ? "hour" : "day"} (MRG-5), `);
    same("begin", window.startMs, number < 0 ? -1 : number * window.lengthMs);
    if (cap === undefined || number < 0) continue;
    same("cap", window.computeCap(), cap);
    same("used", window.used, cap - left);
  }
  compareCover(
    comparison.of(() => "paid by the fund (LIQ-4), "),
    venue,
    model,
  );
}

/** Compares the fund's payments of a UTC day: to each account, in each market. */
function compareCover(same: Same, { insured, height }: State, { cover, coveredInBlock }: ModelState): void {
  same("of the block", insured.paidInBlock(height), coveredInBlock);
  same("day", insured.day, cover.day);
  if (insured.accounts.size + insured.markets.size + cover.paid.size === 0) return;
  const accounts = new Map<number, bigint>();
  const markets = new Map<number, bigint>();
  const add = (sums: Map<number, bigint>, key: number, amount: bigint) => sums.set(key, (sums.get(key) ?? 0n) + amount);
  for (const [key, amount] of cover.paid) {
    const [account = "", market = ""] = key.split("/");
    add(accounts, Number(account), amount);
    add(markets, market === "" ? NONE : Number(market), amount);
  }
  compareSums(same, "account", insured.accounts, accounts);
  compareSums(same, "market", insured.markets, markets);
}

/** An entry of zero counts: it is part of the state. */
function compareSums(
  same: Same,
  what: string,
  venue: ReadonlyMap<number, bigint>,
  model: ReadonlyMap<number, bigint>,
): void {
  same(`${what}s that were paid`, venue.size, model.size);
  for (const [key, amount] of model) same(`${what} ${key}`, venue.get(key) ?? "none", amount);
}
