import type { IntentView } from "../../../client/strategy/context.ts";
import { NONE } from "../../../ground/collections/table.ts";
import type { AccountRow, PositionRow } from "../../../venue/engine/state/schema.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import type { FoundOrder, VenueAccount } from "./venueAccount.ts";

/** Columns of a position that a strategy's view is computed from. */
export const POSITION_COLUMNS = [
  "signedLots",
  "cost",
  "fundingHigh",
  "fundingLow",
  "fundingRemainder",
  "buys",
  "sells",
  "buyOrderCost",
  "sellOrderCost",
  "reduceOnly",
  "leverage",
  "mode",
  "isolated",
] as const;

/** An account at one moment, without prices: the receipts of a block have it. */
export interface AccountPicture {
  readonly collateral: number;
  /** By market: values of its position in the order of `POSITION_COLUMNS`; undefined for none. */
  readonly positions: readonly (readonly number[] | undefined)[];
  /** By market: the cumulative index of funding. */
  readonly funding: readonly { readonly high: number; readonly low: number }[];
  /** Oldest first. */
  readonly orders: readonly FoundOrder[];
  readonly intents: readonly IntentView[];
}

/** @param view of the same account, as the venue has it now */
export function takeAccountPicture(state: State, account: AccountRow, view: VenueAccount): AccountPicture {
  const { accounts, positions, markets, parameters } = state;
  const found: (readonly number[] | undefined)[] = parameters.map(() => undefined);
  for (let row = accounts.position[account]!; row !== NONE; row = positions.next[row]!) {
    found[positions.market[row]!] = POSITION_COLUMNS.map((column) => positions[column][row as PositionRow]!);
  }
  const hasPositions = accounts.position[account] !== NONE;
  return {
    collateral: accounts.collateral[account]!,
    positions: found,
    funding: parameters.map((_, market) => ({
      high: markets.fundingHigh[market as never]!,
      low: markets.fundingLow[market as never]!,
    })),
    orders: hasPositions ? view.listOrders(undefined) : [],
    intents: view.intents(),
  };
}
