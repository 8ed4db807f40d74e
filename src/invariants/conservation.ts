import type { State } from "../engine/state/state.ts";
import { TOTAL } from "../engine/state/totals.ts";
import { defineInvariant } from "./defineInvariant.ts";
import { listAccounts, listMarkets, listPositions } from "./exact/walk.ts";
import { readPool } from "./fundingPool.ts";

export const conservation = defineInvariant({
  id: "conservation",
  sentence:
    "Collateral less cost, insurance, fees, dust and funding pools, less bad debt, are what came in less what left.",
  rules: ["POS-4", "NUM-2"],
  catalogue: ["G01"],
  when: "block",
  sweep(state) {
    const { totals } = state;
    const held = sumHeld(state);
    const there = held + totals.get(TOTAL.insurance) + totals.get(TOTAL.fees) - totals.get(TOTAL.badDebt);
    const came = totals.get(TOTAL.inflows) - totals.get(TOTAL.withdrawals);
    return there === came ? undefined : `${there} quote units are there, ${came} came in and stayed`;
  },
});

/** Collateral, isolated included, less cost over accounts, dust and pools over markets. */
function sumHeld(state: State): bigint {
  const { accounts, positions, markets } = state;
  let sum = 0n;
  for (const account of listAccounts(state)) sum += BigInt(accounts.collateral[account]!);
  for (const at of listPositions(state)) sum += BigInt(positions.isolated[at]!) - BigInt(positions.cost[at]!);
  for (const market of listMarkets(state)) sum += BigInt(markets.dust[market]!) + readPool(state, market);
  return sum;
}
