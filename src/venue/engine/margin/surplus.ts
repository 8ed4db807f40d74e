import { NONE } from "../../../ground/collections/table.ts";
import { LIMIT } from "../../../ground/math/fixed.ts";
import { MARGIN_MODE } from "../../../protocol/words.ts";
import { getUnsettledFunding } from "../funding/owed.ts";
import type { AccountRow, MarketRow } from "../state/schema.ts";
import type { State } from "../state/state.ts";
import { computeInitial } from "../valuation/notional.ts";

/** Sum of all magnitudes up to which every sum here is a whole number that a double carries exactly. */
const MOST = LIMIT / 8;

/**
 * Lower bound of a cross margin account's equity less its initial margin with orders (MRG-3), quote units: the margin
 * filter. At 0 or above the exact check is known to pass. Below it nothing is known, and the exact check runs. Decision
 * 0027 has the proof.
 *
 * A position needs one initial margin here and up to four there, since one bound covers all exposures:
 *
 *     exposure = greatest of |signedLots + buys|, |signedLots - sells|, |signedLots|, and what the caller asks for
 *     required = initial margin of exposure * (lotWhole + 1), and the order cost of both sides
 *     value    = signedLots * lotWhole for a long, signedLots * (lotWhole + 1) for a short
 *
 * Cost: once per position of the account.
 *
 * @param asked market in which the exposure may also be anything from `low` to `high`; NONE for none
 * @param low   signed lots
 * @param high  signed lots
 * @returns negative infinity where the sums may be beyond what a number holds exactly
 */
export function computeSurplus(state: State, account: AccountRow, asked: number, low: number, high: number): number {
  const { positions, markets, parameters } = state;
  const collateral: number = state.accounts.collateral[account];
  let surplus = collateral;
  let gross = collateral < 0 ? 0 - collateral : collateral;
  let isMissing = asked !== NONE;
  for (let at = state.accounts.position[account]; at !== NONE; at = positions.next[at]) {
    const market = positions.market[at];
    const signedLots: number = positions.signedLots[at];
    let long = signedLots + positions.buys[at];
    let short = positions.sells[at] - signedLots;
    if (market === asked) {
      isMissing = false;
      if (high > long) long = high;
      if (0 - low > short) short = 0 - low;
    }
    const isCross = positions.mode[at] === MARGIN_MODE.cross;
    // An isolated position asks cross for the reserve of its orders alone (MRG-2): at most what they and it take.
    if (!isCross && positions.buys[at] === 0 && positions.sells[at] === 0) continue;
    const lot = markets.lotWhole[market];
    const worth = (long > short ? long : short) * (lot + 1);
    const orderCosts = positions.buyOrderCost[at] + positions.sellOrderCost[at];
    const leverage = positions.leverage[at];
    surplus -= computeInitial(parameters[market]!, worth as never, leverage, markets.initialRate[market]) + orderCosts;
    gross += worth + orderCosts;
    if (signedLots === 0 || !isCross) continue;
    const cost: number = positions.cost[at];
    const funding = getUnsettledFunding(state, at);
    surplus += signedLots * (signedLots < 0 ? lot + 1 : lot) - cost - funding;
    gross += (cost < 0 ? 0 - cost : cost) + (funding < 0 ? 0 - funding : funding);
  }
  if (isMissing) {
    const market = asked as MarketRow;
    const worth = (high > 0 - low ? high : 0 - low) * (markets.lotWhole[market] + 1);
    surplus -= computeInitial(parameters[market]!, worth as never, 0, markets.initialRate[market]);
    gross += worth;
  }
  return gross <= MOST ? surplus : Number.NEGATIVE_INFINITY;
}
