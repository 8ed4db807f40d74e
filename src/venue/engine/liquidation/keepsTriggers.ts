import { NONE } from "../../../ground/collections/table.ts";
import { type Amount, LIMIT, PPM } from "../../../ground/math/fixed.ts";
import { MARGIN_MODE } from "../../../protocol/words.ts";
import { getUnsettledFunding } from "../funding/owed.ts";
import type { AccountRow } from "../state/schema.ts";
import type { State } from "../state/state.ts";
import { computeMaintenance } from "../valuation/notional.ts";
import { ROUNDING } from "./armTriggers.ts";

/** Sum of all magnitudes up to which every sum here is a whole number that a double carries exactly. */
const MOST = LIMIT / 8;

/**
 * Whether a dirty account is certainly healthy and its triggers still hold: then it needs neither the exact measurement
 * nor new triggers. Otherwise nothing is known.
 *
 * Equity is bounded from below and maintenance margin from above, as in `computeSurplus` (decision 0027). A lot is
 * worth at least `lotWhole` and less than `lotWhole + 1`, and maintenance margin never falls as the notional rises.
 * Their difference must cover the loss of every position up to its present trigger, each as `armMarginAccount` bounds
 * it. While no trigger is reached the account is then above maintenance margin.
 *
 * Cost: once per position of the account.
 */
export function keepsTriggers(state: State, account: AccountRow): boolean {
  const { positions, markets, parameters, accounts } = state;
  // A record or a place in the queue ends by an exact measurement.
  if (accounts.queuedSince[account] !== 0 || accounts.liquidation[account] !== 0) return false;
  const collateral: number = accounts.collateral[account];
  let slack = collateral;
  let gross = collateral < 0 ? 0 - collateral : collateral;
  let loss = 0;
  for (let at = accounts.position[account]; at !== NONE; at = positions.next[at]) {
    if (positions.mode[at] !== MARGIN_MODE.cross) return false;
    const signedLots: number = positions.signedLots[at];
    const place = positions.heapPlace[at];
    if (signedLots === 0) {
      if (place !== NONE) return false;
      continue;
    }
    const market = positions.market[at];
    const isLong = signedLots > 0;
    const distance = isLong
      ? markets.mark[market] - positions.trigger[at]
      : positions.trigger[at] - markets.mark[market];
    if (place === NONE || (place & 1) !== (isLong ? 0 : 1) || !(distance > 0)) return false;
    const rules = parameters[market]!;
    const lots = isLong ? signedLots : 0 - signedLots;
    const lot = markets.lotWhole[market];
    const worth = lots * (lot + 1);
    const cost: number = positions.cost[at];
    const funding = getUnsettledFunding(state, at);
    slack += (isLong ? lots * lot : 0 - worth) - cost - funding - computeMaintenance(rules, worth as Amount);
    gross += worth + (cost < 0 ? 0 - cost : cost) + (funding < 0 ? 0 - funding : funding);
    const factor = isLong ? 1 : 1 + rules.maintenanceMost / PPM;
    loss += (lots * distance * rules.lotNumerator * factor) / (rules.lotDenominator * 0.999_999);
    loss += ROUNDING + rules.tiers.length;
  }
  return gross <= MOST && loss <= slack;
}
