/**
 * Compares venue and model. Reports the first difference as a sentence, such as "alice's collateral: venue 100, model
 * 101". Reads both and changes neither. Numbers are in protocol units (quote units, lots, ticks, 1e-8 USD), since most
 * differences are single units.
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
 * Returns the first difference between a venue and a model that applied the same blocks; undefined if they agree.
 *
 * @param nameOf name of an account in the sentence, by its ordinal
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
 * Returns the first differences, in the order of `compareModel`, up to a limit.
 *
 * @param isOver true if the block is complete, false within a block
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
