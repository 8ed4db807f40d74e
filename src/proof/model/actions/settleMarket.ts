import { max, min, sum } from "../arithmetic.ts";
import { emit } from "../emitted.ts";
import { settleFunding } from "../funding/settle.ts";
import { changeFunding } from "../funding/stepFunding.ts";
import { cancelIntents } from "../intents/hooks.ts";
import { computeLossShares } from "../liquidation/bankruptcyValue.ts";
import { isStorable } from "../liquidation/closeAgainst.ts";
import { bookBadDebt, coverDeficit } from "../liquidation/deficit.ts";
import { placeOf } from "../liquidation/record.ts";
import { measureWithoutReserve } from "../liquidation/withoutReserve.ts";
import { addCollateral, collateralOf, marginAccountOf, openPositionsOf } from "../margin/health.ts";
import { valueAt } from "../margin/valuation.ts";
import { findMarket } from "../market/createMarket.ts";
import { statusRules } from "../market/lifecycle.ts";
import { removeOrder } from "../orders/removeOrder.ts";
import { changePosition, returnIsolated, sweepPool } from "../positions/applyFill.ts";
import { APPLIED, rejected } from "../receipts.ts";
import type { Market, ModelState, Position } from "../state.ts";
import type { Handler, ModelAction } from "./handler.ts";

/** A position closed at the settlement price, and its realised profit. */
interface Closed {
  readonly position: Position;
  readonly gain: bigint;
}

/** Settles a market at a price (MKT). */
const apply: Handler<"settleMarket"> = (state, _context, payload) => {
  const market = findMarket(state, payload.market);
  if (market === undefined) return rejected("MARKET_NOT_FOUND");
  const { status, priceMost } = market.parameters;
  if (status !== "settling" && !statusRules(market).next.includes("settling")) return rejected("STATUS_NOT_REACHABLE");
  const price = BigInt(payload.price);
  if (price === 0n) return rejected("PRICE_REQUIRED");
  const held = heldIn(state, market);
  if (
    price > priceMost ||
    held.some((position) => !isStorable(position, -position.signedLots, valueAt(market, position.signedLots, price)))
  )
    return rejected("NUMERIC_LIMIT");
  const before = market.parameters;
  setStatus(market, "settling");
  changeFunding(market, before, state.timeMs);
  cancelIntents(state, "settlement", (intent) => intent.market === market);
  for (const order of [...market.bids, ...market.asks]) removeOrder(state, order, "settlement");
  market.mark = price;
  const closed = held.map((position) => closeAt(market, position, price));
  sweepPool(state, market);
  payDeficits(state, market, closed);
  for (const account of state.accounts) {
    const position = account.positions.get(market.ordinal);
    if (position !== undefined) returnIsolated(position);
  }
  setStatus(market, "settled");
  return APPLIED;
};

export const settleMarket: ModelAction<"settleMarket"> = { domain: "system", authority: "operator", apply };

function setStatus(market: Market, status: "settling" | "settled"): void {
  const { parameters } = market;
  market.parameters = { ...parameters, status, texts: { ...parameters.texts, status } };
}

function heldIn(state: ModelState, market: Market): Position[] {
  return state.accounts.flatMap((account) => {
    const position = account.positions.get(market.ordinal);
    return position === undefined || position.signedLots === 0n ? [] : [position];
  });
}

/** Values are rounded down for longs and shorts alike; the rounding remainder is the market's dust. */
function closeAt(market: Market, position: Position, price: bigint): Closed {
  settleFunding(position);
  const value = valueAt(market, position.signedLots, price);
  const gain = value - position.cost;
  changePosition(position, -position.signedLots, -value);
  market.dust -= value;
  return { position, gain };
}

/** Flat margin accounts with debt: the fund pays account by account, then profitable accounts, then bad debt. */
function payDeficits(state: ModelState, market: Market, closed: readonly Closed[]): void {
  const lacking = closed
    .map(({ position }) => marginAccountOf(position))
    .filter(({ account }) => account.role !== "house")
    .filter((marginAccount) => openPositionsOf(marginAccount).length === 0 && collateralOf(marginAccount) < 0n);
  for (const marginAccount of lacking) coverDeficit(state, marginAccount, market);
  const loss = sum(lacking, (marginAccount) => -collateralOf(marginAccount));
  const winners = closed.filter(({ gain }) => gain > 0n);
  const haves = winners.map(({ position, gain }) =>
    min(gain, max(0n, measureWithoutReserve(marginAccountOf(position)).equity)),
  );
  const shares = computeLossShares(loss, haves);
  for (const [place, share] of shares.entries()) {
    if (share === 0n) continue;
    const marginAccount = marginAccountOf(winners[place]!.position);
    const names = { market: market.ordinal, account: marginAccount.account.id, marginAccount: placeOf(marginAccount) };
    emit(state, "settlementHaircut", { ...names, amount: share });
    addCollateral(marginAccount, -share);
  }
  // The first deficits are covered in full.
  let taken = sum(shares, (share) => share);
  for (const marginAccount of lacking) {
    const lack = -collateralOf(marginAccount);
    const covered = min(lack, taken);
    taken -= covered;
    addCollateral(marginAccount, lack);
    bookBadDebt(state, marginAccount, lack - covered);
  }
}
