/**
 * Venue and model side by side: the first difference in words, such as "alice's collateral: venue 100, model 101". Reads
 * both; numbers are in their units (quote units, lots, ticks, 1e-8 USD), since a difference is a matter of single ones.
 */
import type { State } from "../../../venue/engine/state/state.ts";
import type { ModelState } from "../../model/state.ts";
import { compareAccount } from "./compareAccount.ts";
import { compareGates } from "./compareGates.ts";
import { compareGrants } from "./compareGrants.ts";
import { compareIntents } from "./compareIntents.ts";
import { compareMarket } from "./compareMarket.ts";
import { compareCount } from "./compareOrders.ts";
import { compareVolumes } from "./compareVolumes.ts";
import { Comparison, describeSide, type Side } from "./comparison.ts";

/**
 * The first difference between a venue and a model that have applied the same blocks; undefined where there is none.
 *
 * @param nameOf what the sentence calls an account, by its ordinal
 */
export function compareModel(
  venue: State,
  model: ModelState,
  nameOf?: (account: number) => string,
): string | undefined {
  const [first] = listDifferences(venue, model, 1, { nameOf });
  return first === undefined ? undefined : describeSide(first);
}

/**
 * The differences, as `compareModel` would meet them, up to so many.
 *
 * @param isOver both stand behind a block, not within one
 */
export function listDifferences(
  venue: State,
  model: ModelState,
  most: number,
  {
    nameOf = (account) => `account ${account}`,
    isOver = true,
  }: {
    readonly nameOf?: ((account: number) => string) | undefined;
    readonly isOver?: boolean;
  } = {},
): readonly Side[] {
  const comparison = new Comparison(nameOf, most);
  comparison.same("height", venue.height, model.height);
  comparison.same("markets", venue.marketNames.length, model.markets.length);
  comparison.same("accounts", venue.accounts.rows.count, model.accounts.length);
  for (const market of model.markets) compareMarket(comparison, venue, market, isOver);
  compareCount(comparison, venue, model);
  for (const account of model.accounts) compareAccount(comparison, venue, account);
  compareIntents(comparison, venue, model);
  compareGrants(comparison, venue, model);
  compareVolumes(comparison, venue, model);
  compareGates(comparison, venue, model);
  return comparison.found;
}
