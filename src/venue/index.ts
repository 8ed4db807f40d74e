/**
 * The venue: one state, and one function that changes it.
 *
 *     const venue = createVenue(createGenesis({ … }));
 *     const result = applyBlock(venue, { height: 1, timeMs, transactions });
 *     readEvents(result.events, result.from, result.to);
 *
 *     getPosition(venue, { address }, "BTC-PERP");
 *
 * `get…` and `list…` read the venue as plain objects: decimal text in USD and units of base. `compute…` with a market
 * and texts are its formulas (docs/spec). `find…`, `measure` and `read…` are for callers that know its tables. A venue
 * with accounts by name and nonces counted is `VenueDriver` of `perplab/simulation`.
 */

export { NONE } from "../ground/collections/table.ts";
export { applyBlock, type BlockResult } from "./engine/applyBlock.ts";
export { readImage, writeImage } from "./engine/commitment/image.ts";
export { computeRoot, getHead } from "./engine/commitment/root.ts";
export { readSnapshot, writeSnapshot } from "./engine/commitment/snapshot.ts";
export { EVENT_WIDTHS, readEvent, readEvents } from "./engine/events/readEvents.ts";
export { type ForkChange, type ForkVenue, forkVenue } from "./engine/forkRecord.ts";
export { getPredictedRate } from "./engine/funding/predictedRate.ts";
export { createVenue } from "./engine/genesis.ts";
export { DEPTH, isBelowMaintenance, measure, meetsInitial } from "./engine/margin/health.ts";
export { getLiquidationPrice } from "./engine/margin/liquidationPrice.ts";
export { findAccount } from "./engine/state/accounts.ts";
export { forkState } from "./engine/state/forkState.ts";
export { computeGenesisHash } from "./engine/state/genesisHash.ts";
export type { Health } from "./engine/state/health.ts";
export type { AccountRow, MarketRow, OrderRow, PositionRow } from "./engine/state/schema.ts";
export { getPosition as findPosition, type State } from "./engine/state/state.ts";
export { TOTAL, type Totals } from "./engine/state/totals.ts";
export { type AccountMargin, type AccountPosition, computeAccount } from "./formulas/account.ts";
export { computeCostToFill, type FillCost } from "./formulas/costToFill.ts";
export { getFillableDepth } from "./formulas/fillableDepth.ts";
export { FormulaError, type FormulaErrorCode, isFormulaError } from "./formulas/formulaError.ts";
export {
  computeFundingPayment,
  computeFundingRate,
  computeGreatestFundingRate,
  computeImpactPrice,
  computePremium,
  computePremiumFromPrices,
  type FundingPayment,
} from "./formulas/funding.ts";
export type { Level } from "./formulas/levels.ts";
export {
  type BankruptcyPrice,
  computeBankruptcyPrice,
  computeBankruptcyPrices,
  computeLiquidationPrice,
  computeLossShares,
  type HeldPosition,
} from "./formulas/liquidation.ts";
export {
  computeBankruptcyPriceOfPart,
  computeFillablePrice,
  computeLiquidationFill,
  type LiquidationFill,
} from "./formulas/liquidationFill.ts";
export {
  computeFreeCollateral,
  computeGreatestLeverage,
  computeLargestSize,
  computeMargin,
  computeMarginWithOrders,
  computeOpenInterestRate,
  computeOrderCost,
} from "./formulas/margin.ts";
export { checkGrid, readMarket, readMarketUnchecked, roundPriceToGrid, roundSizeToGrid } from "./formulas/market.ts";
export {
  computeFees,
  computePositionAfterFill,
  computeUnrealizedPnl,
  type FilledPosition,
  type PositionText,
} from "./formulas/position.ts";
export {
  computeAverage,
  computeClampedPrice,
  computeMedianMark,
  computePriceBand,
  computeTwap,
  type MedianMark,
} from "./formulas/prices.ts";
export { computeDeleveragingOrder, type RankedHolder } from "./formulas/ranking.ts";
export { type AccountView, getAccount } from "./reads/accounts.ts";
export { type BookView, getBook } from "./reads/book.ts";
export { getMarket, listMarkets, type MarketView } from "./reads/markets.ts";
export { getOrder, listOrders, type OrderView } from "./reads/orders.ts";
export { type AccountName, getPosition, listPositions, type PositionView } from "./reads/positions.ts";
