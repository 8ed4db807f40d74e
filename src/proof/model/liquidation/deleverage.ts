import { min } from "../arithmetic.ts";
import type { Health } from "../margin/health.ts";
import { valueAt } from "../margin/valuation.ts";
import type { ModelState, Position } from "../state.ts";
import type { Slices } from "./bankruptcyValue.ts";
import { closeAgainst, liesOpposite, lotsOf } from "./closeAgainst.ts";
import type { Part, Pass } from "./liquidationStep.ts";
import { rankOpposite } from "./rank.ts";
import { measureAboveWith } from "./withoutReserve.ts";

/** Closes the remaining lots at the bankruptcy price against the opposite side in rank order (LIQ-5). */
export function deleverage(state: ModelState, pass: Pass, part: Part): void {
  closeByRank(state, pass, part, part.bankruptcy, "deleveraging");
}

/** The same at the mark of the block before, each part rounded down (policy `hyperliquid`). */
export function deleverageAtPreviousMark(state: ModelState, pass: Pass, part: Part): void {
  const { market } = part.position;
  closeByRank(state, pass, part, slicesAt(part.position, market.markBefore || market.mark), "previousMark");
}

/** Proceeds of a position's lots at a reference price, each part rounded down. */
function slicesAt({ market, signedLots }: Position, price: bigint): Pick<Slices, "peek" | "take"> {
  const worth = (lots: bigint) => valueAt(market, signedLots > 0n ? lots : -lots, price);
  return { peek: worth, take: worth };
}

/** Skips accounts that may not take part; the ranking is fixed until the pass ends. */
function closeByRank(
  state: ModelState,
  pass: Pass,
  { position }: Part,
  slices: Pick<Slices, "peek" | "take">,
  way: "deleveraging" | "previousMark",
): void {
  const key = `${position.market.ordinal}/${position.signedLots > 0n ? "long" : "short"}`;
  const ranking = pass.rankings.get(key) ?? rankOpposite(state, position.market, position.signedLots);
  pass.rankings.set(key, ranking);
  for (const counterparty of ranking) {
    if (position.signedLots === 0n) return;
    if (!liesOpposite(position, counterparty)) continue;
    const lots = min(lotsOf(position), lotsOf(counterparty));
    const value = slices.peek(lots);
    if (!mayTakePart(counterparty, position.signedLots > 0n ? lots : -lots, value)) continue;
    if (closeAgainst(state, position, counterparty.account, lots, value, way)) slices.take(lots);
  }
}

/**
 * Whether a counterparty has equity, and after the fill meets maintenance or keeps its equity / maintenance. A house
 * always takes part.
 *
 * @param lots  that the counterparty gets, signed
 * @param value that it pays
 */
function mayTakePart(counterparty: Position, lots: bigint, value: bigint): boolean {
  if (counterparty.account.role === "house") return true;
  const { before, after } = measureAboveWith(counterparty.account, counterparty.market, lots, value);
  if (before.equity <= 0n) return false;
  return after.equity >= after.maintenance || !isLowered(before, after);
}

/**
 * Whether equity / maintenance is lower than before, by cross-multiplication; without maintenance it is the highest
 * (NUM-4).
 */
function isLowered(
  before: Pick<Health, "equity" | "maintenance">,
  after: Pick<Health, "equity" | "maintenance">,
): boolean {
  return after.equity * before.maintenance < before.equity * after.maintenance;
}

/**
 * The remaining lots close at the mark against the opposite side, ranked from scratch, without any condition (LIQ-6).
 */
export function closeOut(state: ModelState, { position }: Part): void {
  const { market } = position;
  if (position.signedLots === 0n) return;
  const slices = slicesAt(position, market.mark);
  for (const counterparty of rankOpposite(state, market, position.signedLots)) {
    if (position.signedLots === 0n) return;
    const lots = min(lotsOf(position), lotsOf(counterparty));
    closeAgainst(state, position, counterparty.account, lots, slices.peek(lots), "closeOut");
  }
}
