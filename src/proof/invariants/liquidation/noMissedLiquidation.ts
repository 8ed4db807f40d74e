import { NONE } from "../../../ground/collections/table.ts";
import { allowsLiquidation } from "../../../protocol/lifecycle.ts";
import { VALIDITY } from "../../../protocol/validity.ts";
import { ROLE } from "../../../protocol/words.ts";
import type { AccountRow, PositionRow } from "../../../venue/engine/state/schema.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { marginAccountName } from "../../../venue/engine/state/walk.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";
import { exactHealth } from "../machinery/exact/health.ts";
import { QuickHealth } from "../machinery/exact/quickHealth.ts";
import type { Moment } from "../machinery/moment.ts";
import { near } from "../machinery/tally.ts";

/** Cost: once per account and position in every block. */
export const noMissedLiquidation = defineInvariant({
  id: "noMissedLiquidation",
  sentence:
    "After a risk pass a margin account below maintenance was liquidated in it, is queued, or has a position in a market that may not liquidate.",
  rules: ["LIQ", "BLK"],
  catalogue: ["L13", "L15"],
  when: "transaction",
  moments: ["riskPassed"],
  slack: "quote units",
  start: () => new QuickHealth(),
  touched(moment, quick) {
    const { state, ledger } = moment;
    const { accounts, positions } = state;
    for (let account = 0 as AccountRow; account < accounts.rows.high; account++) {
      const first = accounts.position[account];
      // Accounts that the pass itself changed are checked one block later.
      if (first === NONE || accounts.role[account] !== ROLE.normal || ledger.accounts.has(account)) continue;
      moment.met++;
      const fault = checkMarginAccount(moment, quick, account, NONE as PositionRow);
      if (fault !== undefined) return fault;
      for (let at = first; at !== NONE; at = positions.next[at]) {
        if (positions.mode[at] === 0) continue;
        const found = checkMarginAccount(moment, quick, account, at);
        if (found !== undefined) return found;
      }
    }
    return undefined;
  },
});

function checkMarginAccount(
  moment: Moment,
  quick: QuickHealth,
  account: AccountRow,
  at: PositionRow,
): string | undefined {
  const { state } = moment;
  const seen = quick.measure(state, account, at, false);
  if (seen.covers(seen.maintenance)) {
    if (seen.maintenance > 0) near(moment, Math.floor(seen.equity - seen.maintenance - seen.slack));
    return undefined;
  }
  // Exact arithmetic runs only for accounts with an open position and no reason to wait.
  const since = at === NONE ? state.accounts.queuedSince[account] : state.positions.queuedSince[at];
  if (since !== 0 || (seen.isBare && seen.equity >= 0) || isWithheld(state, account, at)) return undefined;
  const isolated = at === NONE ? undefined : at;
  const { equity, maintenance } = exactHealth(state, account, isolated);
  if (equity >= maintenance && maintenance > 0n) near(moment, equity - maintenance);
  if (equity >= maintenance) return undefined;
  return `${marginAccountName(state, account, isolated)}: equity ${equity} of maintenance ${maintenance} after the risk pass`;
}

/** Whether a margin account may not be liquidated now, or all of its positions cool down. */
function isWithheld(state: State, account: AccountRow, marginAccount: PositionRow): boolean {
  const { positions, markets, parameters } = state;
  let waits = true;
  for (let at = state.accounts.position[account]; at !== NONE; at = positions.next[at]) {
    if (positions.signedLots[at] === 0 || (marginAccount === NONE ? positions.mode[at] !== 0 : at !== marginAccount))
      continue;
    const market = positions.market[at];
    if (markets.restarting[market] !== 0 || markets.validity[market] < VALIDITY.tooUncertain) return true;
    if (allowsLiquidation(parameters[market]!) && positions.cooldown[at] <= state.timeMs) waits = false;
  }
  return waits;
}
