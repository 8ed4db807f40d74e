import { NONE } from "../../../ground/collections/table.ts";
import type { Ticks } from "../../../ground/math/fixed.ts";
import { allowsLiquidation } from "../../../protocol/lifecycle.ts";
import type { Backstop } from "../state/backstops.ts";
import { marginAccountOf } from "../state/marginAccount.ts";
import { releaseIfEmpty } from "../state/positions.ts";
import type { MarketRow } from "../state/schema.ts";
import type { State } from "../state/state.ts";
import { getNotionalAtMark } from "../valuation/notional.ts";
import { computeSlippageLimit, sendBookOrder } from "./bookOrder.ts";
import { cancelIncreasing } from "./cancelIncreasing.ts";
import { isCooling, startChunk } from "./pacing.ts";

/**
 * A backstop closes its positions in the book (LIQ-3). Each has the pacing of LIQ-2: whole up to `liquidationWhole`,
 * above that a chunk a cooldown, at prices up to `insuranceSlippage` worse than the mark. Its orders that would add to
 * a position are cancelled first. It does nothing if the book offers nothing within the limit. It also does nothing if
 * the status or a pause of the market does not allow liquidations (MKT).
 *
 * @param id number of the record that the fills name
 * @returns whether anything was sent
 */
export function unwind(state: State, { account, isolated }: Backstop, id: number): boolean {
  const { positions, markets } = state;
  let sent = false;
  for (let at = state.accounts.position[account]; at !== NONE; at = positions.next[at]) {
    const signedLots: number = positions.signedLots[at];
    if (signedLots === 0 || marginAccountOf(state, at) !== NONE || isCooling(state, at)) continue;
    const market = positions.market[at];
    const rules = state.parameters[market]!;
    if (!allowsLiquidation(rules)) continue;
    const limit = computeSlippageLimit(state, market, signedLots > 0, rules.insuranceSlippage);
    if (!isOffered(state, market, signedLots > 0, limit)) continue;
    if (!sent) cancelIncreasing(state, account, isolated);
    sent = true;
    const notional = getNotionalAtMark(markets, rules, market, Math.abs(signedLots));
    const lots = startChunk(state, at, notional <= rules.liquidationWhole);
    state.events.backstopUnwound({ liquidation: id, account, market, lots, cooldownMs: positions.cooldown[at] });
    const terms = { id, bankruptcy: undefined, insured: false, fee: 0 };
    sendBookOrder(state, { account, position: at, lots, limit, terms });
    releaseIfEmpty(state, at);
  }
  return sent;
}

/** Whether the book has anything for a close up to a limit. */
function isOffered(state: State, market: MarketRow, long: boolean, limit: Ticks): boolean {
  const { bestBid, bestAsk } = state.books[market]!;
  return long ? bestBid !== 0 && bestBid >= limit : bestAsk !== 0 && bestAsk <= limit;
}
