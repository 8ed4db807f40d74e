import { NONE } from "../../../ground/collections/table.ts";
import { INSURANCE_CAUSE } from "../../../protocol/events.ts";
import type { AccountRow } from "../../../venue/engine/state/schema.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { TOTAL } from "../../../venue/engine/state/totals.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";
import { near } from "../machinery/tally.ts";

/** Payments of today, computed from the state before the block and its events. */
interface Paid {
  fund: bigint;
  ofAll: bigint;
  ofBlock: bigint;
  readonly accounts: Map<number, bigint>;
  readonly owners: Map<number, bigint>;
  readonly markets: Map<number, bigint>;
}

export const insuranceWithinCaps = defineInvariant({
  id: "insuranceWithinCaps",
  sentence:
    "The insurance fund never pays more than it holds, nor more than the caps for an account, an owner, a market and a block.",
  rules: ["LIQ-4", "LIQ-6"],
  catalogue: ["L08"],
  when: "block",
  sweepKinds: ["insuranceChanged"],
  slack: "quote units",
  sweep(state, step) {
    const { before, events } = step;
    const paid = startOf(before, state);
    for (const event of events) {
      if (event.kind !== "insuranceChanged") continue;
      step.met++;
      paid.fund += BigInt(event.delta);
      near(step, paid.fund);
      if (paid.fund < 0n) return `the fund holds ${paid.fund}`;
      if (event.cause !== INSURANCE_CAUSE.cover && event.cause !== INSURANCE_CAUSE.deficit) continue;
      const { account, market } = event;
      count(state, paid, account, market, BigInt(-event.delta));
      if (market === NONE) continue;
      const rules = state.parameters[market]!;
      const share = ((paid.fund + paid.ofAll) * BigInt(rules.insuranceCapMarket)) / 1_000_000n;
      const owner = state.accounts.owner[account as AccountRow]!;
      for (const [what, sum, cap] of [
        [`account ${account}`, paid.accounts.get(account)!, BigInt(rules.insuranceCapAccount)],
        [`owner ${owner}`, paid.owners.get(owner)!, BigInt(rules.insuranceCapOwner)],
        [`market ${market}`, paid.markets.get(market)!, share],
        ["the block", paid.ofBlock, BigInt(rules.insuranceCapBlock)],
      ] as const) {
        near(step, cap - sum);
        if (sum > cap) return `${sum} was paid for ${what}, whose cap is ${cap}`;
      }
    }
    return undefined;
  },
});

function startOf(before: State, state: State): Paid {
  const paid: Paid = {
    fund: before.totals.get(TOTAL.insurance),
    ofAll: 0n,
    ofBlock: 0n,
    accounts: new Map(),
    owners: new Map(),
    markets: new Map(),
  };
  const { insured } = before;
  if (insured.day !== Math.floor(state.timeMs / 86_400_000)) return paid;
  for (const [account, amount] of insured.accounts) add(paid.accounts, account, amount);
  for (const [account, amount] of insured.accounts) add(paid.owners, state.accounts.owner[account]!, amount);
  for (const [market, amount] of insured.markets) add(paid.markets, market, amount);
  for (const amount of insured.markets.values()) paid.ofAll += amount;
  return paid;
}

function count(state: State, paid: Paid, account: number, market: number, amount: bigint): void {
  add(paid.accounts, account, amount);
  add(paid.owners, state.accounts.owner[account as AccountRow]!, amount);
  add(paid.markets, market, amount);
  paid.ofAll += amount;
  paid.ofBlock += amount;
}

function add(sums: Map<number, bigint>, key: number, amount: bigint): void {
  sums.set(key, (sums.get(key) ?? 0n) + amount);
}
