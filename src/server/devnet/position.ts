import { NONE } from "../../ground/collections/table.ts";
import { parseDecimal } from "../../ground/math/decimal.ts";
import type { AccountKey } from "../../protocol/accountKey.ts";
import type { Address } from "../../protocol/fields.ts";
import type { MarketParameters } from "../../protocol/parameters.ts";
import { findAccount } from "../../venue/engine/state/accounts.ts";
import type { MarketRow } from "../../venue/engine/state/schema.ts";
import { getPosition, type State } from "../../venue/engine/state/state.ts";
import { formatLots, formatPrice } from "../../venue/formulas/text.ts";
import { invalidField, notFound, ProblemError } from "../face/problems/problems.ts";

/** Counterparty of positions that control gives; created for them, with ample collateral. */
export const COUNTERPARTY: Address = "0x00000000000000000000000000000000000000c9";

/** A trade that brings a position to a size. */
export interface PositionTrade {
  readonly side: "buy" | "sell";
  readonly size: string;
  readonly price: string;
}

const SIZE_DECIMALS = 8;

/**
 * The trade that brings an account's position in a market to a size, within the spread, so that it meets no other
 * order.
 *
 * @param size  units of base; negative is short
 * @param price USD; the mark by default
 * @returns     undefined if the account already has the position
 * @throws {ProblemError} if the market or account does not exist, there is no mark, or no room within the spread
 */
export function planPosition(
  state: State,
  account: AccountKey,
  market: string,
  size: string,
  price: string | undefined,
): PositionTrade | undefined {
  const row = state.marketRows.get(market);
  if (row === undefined) throw notFound(`There is no market ${market}.`, "UNKNOWN_MARKET");
  const rules = state.parameters[row]!;
  const delta = readLots(rules, size) - heldLots(state, account, row);
  if (delta === 0) return undefined;
  const side = delta > 0 ? "buy" : "sell";
  const ticks = priceOf(state, row, rules, price);
  return {
    side,
    size: formatLots(rules, Math.abs(delta)),
    price: formatPrice(BigInt(ticks) * BigInt(rules.tickSize)),
  };
}

function readLots(rules: MarketParameters, size: string): number {
  const units = parseDecimal(size, SIZE_DECIMALS);
  if (units % rules.lotSize !== 0)
    throw invalidField("body.size", "step", "must be a multiple of the market's lotSize");
  return units / rules.lotSize;
}

function heldLots(state: State, key: AccountKey, market: MarketRow): number {
  const account = findAccount(state, key);
  if (account === NONE) throw notFound("There is no such account; set its collateral first.", "UNKNOWN_ACCOUNT");
  const row = getPosition(state, account, market);
  return row === NONE ? 0 : state.positions.signedLots[row]!;
}

/** In ticks, above the best bid and below the best ask, as close to the wanted price as possible. */
function priceOf(state: State, market: MarketRow, rules: MarketParameters, price: string | undefined): number {
  const mark: number = state.markets.mark[market]!;
  const wanted = price === undefined ? mark : parseDecimal(price, SIZE_DECIMALS);
  if (wanted === 0) throw notFound(`${state.marketNames[market]} has no mark yet; report a price first.`, "NO_PRICE");
  const { bestBid, bestAsk } = state.books[market]!;
  const least = bestBid + 1;
  const most = bestAsk === 0 ? Number.MAX_SAFE_INTEGER : bestAsk - 1;
  const ticks = Math.round(wanted / rules.tickSize);
  if (price !== undefined && wanted % rules.tickSize !== 0) {
    throw invalidField("body.price", "step", "must be a multiple of the market's tickSize");
  }
  if (least > most || (price !== undefined && (ticks < least || ticks > most))) {
    const detail =
      "There is no room for the trade between the best bid and the best ask; cancel what rests there first.";
    throw new ProblemError("TRANSACTION_REJECTED", detail, { reason: "NO_ROOM" });
  }
  return Math.min(Math.max(ticks, least), most);
}
