import { formatDecimal } from "../../../ground/math/decimal.ts";
import type { AccountRow, MarketRow } from "../../../venue/engine/state/schema.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { addressOf } from "../../../venue/reads/rows.ts";
import type { Names } from "../../../venue/simulation/accountNames.ts";

/** Collateral in quote units as text. */
export const usd = (units: number | bigint): string => formatDecimal(units, 6);
/** A reference price as text. */
export const priceText = (priceE8: number): string => formatDecimal(priceE8, 8);
/** A rate in 1e-9 as text. */
export const rateText = (ppb: number): string => formatDecimal(ppb, 9);

/** Lots of a market as text. */
export function lotsText(state: State, market: MarketRow, lots: number): string {
  return formatDecimal(BigInt(lots) * BigInt(state.parameters[market]!.lotSize), 8);
}

/** Ticks of a market as text. */
export function ticksText(state: State, market: MarketRow, ticks: number): string {
  return formatDecimal(BigInt(ticks) * BigInt(state.parameters[market]!.tickSize), 8);
}

/** The name of an account. */
export function accountName(state: State, names: Names, account: AccountRow): string {
  return names.nameOf(addressOf(state, account), state.accounts.subaccount[account]! >>> 0);
}
