import type { Amount, Lots } from "../../../ground/math/fixed.ts";
import { CLOSE_KIND } from "../../../protocol/events.ts";
import { sweepPool } from "../funding/pool.ts";
import { returnIsolated } from "../margin/isolated.ts";
import { applyFill, fitsLimits } from "../matching/applyFill.ts";
import { fitReduceOnly } from "../matching/reduceOnly.ts";
import { releaseIfEmpty } from "../state/positions.ts";
import type { MarketRow, PositionRow } from "../state/schema.ts";
import type { State } from "../state/state.ts";
import type { MarginAccount, MarginAccountPosition } from "./liquidatedAccount.ts";

/** Ways that close at the bankruptcy price, in slices of its value. */
const AT_BANKRUPTCY_PRICE: ReadonlySet<number> = new Set([CLOSE_KIND.deleveraging, CLOSE_KIND.takeover]);

/**
 * Trades a part of a liquidated position with another position outside the book. Lots whose trade would not be storable
 * stay open (NUM-3).
 *
 * @param cash amount that the liquidated side receives for the lots; negative if it pays
 * @param kind CLOSE_KIND, for the event
 */
export function closeAgainst(
  state: State,
  marginAccount: MarginAccount,
  part: MarginAccountPosition,
  counterparty: PositionRow,
  lots: number,
  cash: bigint,
  kind: number,
): void {
  const { positions, risk } = state;
  const signedLots = (positions.signedLots[part.position] > 0 ? -lots : lots) as Lots;
  const paid = (0 - Number(cash)) as Amount;
  const back = (0 - signedLots) as Lots;
  const received = (0 - paid) as Amount;
  if (!fitsLimits(state, part.position, signedLots, paid) || !fitsLimits(state, counterparty, back, received)) return;
  if (AT_BANKRUPTCY_PRICE.has(kind)) part.bankruptcy.take(lots);
  const account = positions.account[counterparty];
  state.events.deleveraged({
    liquidation: marginAccount.id,
    way: kind,
    market: part.market,
    account: marginAccount.account,
    counterparty: account,
    size: lots,
    value: received,
  });
  applyFill(state, part.position, signedLots, paid, 0 as Amount);
  applyFill(state, counterparty, back, received, 0 as Amount);
  returnIsolated(state, counterparty);
  sweepPool(state, part.market as MarketRow);
  fitReduceOnly(state, part.position);
  fitReduceOnly(state, counterparty);
  releaseIfEmpty(state, counterparty);
  risk.markDirty(state.accounts, account);
}
