import type { Lots } from "../../ground/math/fixed.ts";
import {
  computeInitialBig,
  computeMaintenanceBig,
  computeMarkedValueBig,
  computeNotionalBig,
} from "../engine/valuation/notional.ts";
import { type MarketTerms, namesOf, takeFields, takeLeverage, takeList, takeMark, takeMarket } from "./terms.ts";
import { formatAmount, parseAmount, parseLots, parseShare, parseUnsigned } from "./text.ts";

const MARGIN = namesOf("lotSize", "lotNumerator", "lotDenominator", "tiers", "priceMost", "leverageMax");

/** A position of a margin account, with its resting orders. */
export interface AccountPosition {
  readonly market: MarketTerms<(typeof MARGIN)[number]>;
  /** Signed; "0" for a market with orders alone. */
  readonly size: string;
  /** Signed USD paid for it. */
  readonly cost: string;
  readonly mark: string;
  /** Funding owed since it was last settled, USD; negative is to be received. "0" by default. */
  readonly unsettledFunding?: string;
  /** Whole number that the owner chose; 0 or absent for the market's greatest. */
  readonly leverage?: number;
  /** Least initial rate by open interest (`computeOpenInterestRate`); none by default. */
  readonly leastRate?: string;
  /** Sizes of resting orders that are not reduce-only, and their order costs; none by default. */
  readonly buys?: string;
  readonly sells?: string;
  readonly buyOrderCost?: string;
  readonly sellOrderCost?: string;
}

export interface AccountMargin {
  /** collateral + unrealised profit at the mark - unsettled funding. */
  readonly equity: string;
  readonly notional: string;
  /** Initial margin of the positions. */
  readonly positionInitial: string;
  /** Initial margin with resting orders (MRG-3). */
  readonly initial: string;
  readonly maintenance: string;
  /** Collateral that may be withdrawn (MRG-5); negative where some is missing. */
  readonly free: string;
  /** Equity is below maintenance margin (LIQ). */
  readonly isLiquidatable: boolean;
}

/**
 * Equity and margin of a margin account, cross or isolated (MRG-1, MRG-3, MRG-5), USD, and whether it is liquidated at
 * these marks.
 *
 * Rounding: values of positions down, notional and margins up.
 *
 * @param account its collateral, and all of its positions
 */
export function computeAccount(account: {
  readonly collateral: string;
  readonly positions: readonly AccountPosition[];
}): AccountMargin {
  const collateral = BigInt(parseAmount(takeFields(account, "account").collateral, "collateral"));
  let [equity, losses, notionals, positionInitial, initial, maintenance] = [collateral, 0n, 0n, 0n, 0n, 0n];
  takeList(account.positions, "positions").forEach((position, place) => {
    const part = measurePosition(position, `positions[${place}]`);
    equity += part.gain;
    if (part.gain < 0n) losses += part.gain;
    notionals += part.notional;
    positionInitial += part.own;
    initial += part.worse;
    maintenance += part.maintenance;
  });
  const tenth = (notionals + 9n) / 10n;
  return {
    equity: formatAmount(equity),
    notional: formatAmount(notionals),
    positionInitial: formatAmount(positionInitial),
    initial: formatAmount(initial),
    maintenance: formatAmount(maintenance),
    free: formatAmount(collateral + losses - (initial > tenth ? initial : tenth)),
    isLiquidatable: equity < maintenance,
  };
}

interface Part {
  readonly gain: bigint;
  readonly notional: bigint;
  readonly own: bigint;
  readonly worse: bigint;
  readonly maintenance: bigint;
}

function measurePosition(position: AccountPosition, argument: string): Part {
  const {
    market,
    size,
    cost,
    mark,
    leverage,
    unsettledFunding = "0",
    leastRate = "0",
  } = takeFields(position, argument);
  const { buys = "0", sells = "0", buyOrderCost = "0", sellOrderCost = "0" } = position;
  takeMarket(market, MARGIN, `${argument}.market`);
  const at = takeMark(market, mark, `${argument}.mark`);
  const lots = parseLots(market, size, `${argument}.size`);
  const chosen = takeLeverage(market, leverage);
  const least = parseShare(leastRate, `${argument}.leastRate`);
  const initialOf = (exposure: number) =>
    computeInitialBig(market, computeNotionalBig(market, exposure as Lots, at), chosen, least);
  const buying =
    initialOf(lots + parseLots(market, buys, `${argument}.buys`)) +
    BigInt(parseUnsigned(buyOrderCost, `${argument}.buyOrderCost`));
  const selling =
    initialOf(lots - parseLots(market, sells, `${argument}.sells`)) +
    BigInt(parseUnsigned(sellOrderCost, `${argument}.sellOrderCost`));
  const notional = computeNotionalBig(market, lots, at);
  const paid = BigInt(parseAmount(cost, `${argument}.cost`));
  const owed = BigInt(parseAmount(unsettledFunding, `${argument}.unsettledFunding`));
  return {
    gain: computeMarkedValueBig(market, lots, at) - paid - owed,
    notional,
    own: initialOf(lots),
    worse: buying > selling ? buying : selling,
    maintenance: computeMaintenanceBig(market, notional),
  };
}
