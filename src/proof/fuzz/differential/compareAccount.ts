import { NONE } from "../../../ground/collections/table.ts";
import { addressOfWords } from "../../../protocol/accountKey.ts";
import { MARGIN_MODES, ROLES } from "../../../protocol/words.ts";
import { joinIndex, wrapIndex } from "../../../venue/engine/funding/cumulativeIndex.ts";
import type { AccountRow, MarketRow, PositionRow } from "../../../venue/engine/state/schema.ts";
import { getPosition, type State } from "../../../venue/engine/state/state.ts";
import type { Account, Position } from "../../model/state.ts";
import type { Comparison } from "./comparison.ts";

/** A block rarely creates more accounts than this. */
const NEW_ACCOUNTS = 4;

/** Compares an account's collateral and positions. */
export function compareAccount(comparison: Comparison, venue: State, account: Account): void {
  if (comparison.isFull) return;
  const { accounts, positions } = venue;
  const row = account.id as AccountRow;
  const same = comparison.of(() => `${comparison.nameOf(row)}'s `);
  same("collateral", accounts.collateral[row], account.collateral);
  same("scheduled cancel", accounts.cancelTime[row], account.cancelTime);
  same("height in the queue", accounts.queuedSince[row], account.dueSince);
  same("record of liquidation (LIQ)", accounts.liquidation[row], account.record);
  // The identity of an account never changes, so it is compared only while the account is new.
  if (row >= accounts.rows.count - NEW_ACCOUNTS) compareName(comparison, venue, account);
  for (let at = accounts.position[row]!; at !== NONE; at = positions.next[at]!) {
    comparePosition(comparison, venue, row, positions.market[at]!, at, account.positions.get(positions.market[at]!));
  }
  for (const [ordinal, position] of account.positions) {
    const market = ordinal as MarketRow;
    if (getPosition(venue, row, market) === NONE) comparePosition(comparison, venue, row, market, undefined, position);
  }
}

function compareName(comparison: Comparison, venue: State, { id, owner, subaccount, role }: Account): void {
  const { accounts, owners } = venue;
  const row = id as AccountRow;
  const of = accounts.owner[row]!;
  const same = comparison.of(() => `${comparison.nameOf(id)}'s `);
  const { w0, w1, w2, w3, w4 } = owners;
  same("owner (ACC)", addressOfWords(w0[of]!, w1[of]!, w2[of]!, w3[of]!, w4[of]!), owner);
  same("subaccount (ACC)", accounts.subaccount[row]! >>> 0, subaccount);
  same("role (ACC)", ROLES[accounts.role[row]!], role);
}

function comparePosition(
  comparison: Comparison,
  venue: State,
  account: AccountRow,
  market: MarketRow,
  row: PositionRow | undefined,
  position: Position | undefined,
): void {
  const { positions } = venue;
  const same = comparison.of(() => `${comparison.nameOf(account)}'s position in ${venue.marketNames[market]}, `);
  const of = (column: { readonly [row: number]: number }) => (row === undefined ? 0 : column[row]);
  same("size", of(positions.signedLots), position?.signedLots ?? 0n);
  same("cost", of(positions.cost), position?.cost ?? 0n);
  same("isolated collateral", of(positions.isolated), position?.isolated ?? 0n);
  same("leverage", of(positions.leverage), position?.leverage ?? 0n);
  same("mode", MARGIN_MODES[row === undefined ? 0 : positions.mode[row]!], position?.mode ?? "cross");
  if (row === undefined || position === undefined || position.signedLots === 0n) return;
  const index = joinIndex(positions.fundingHigh[row]!, positions.fundingLow[row]!);
  same("funding index", index, wrapIndex(position.fundingIndex));
  same("funding remainder", positions.fundingRemainder[row], position.fundingRemainder);
  same("cooldown", positions.cooldown[row], position.cooldownMs);
  if (position.mode !== "cross") same("height in the queue", positions.queuedSince[row], position.dueSince);
  same("record of liquidation (LIQ)", positions.liquidation[row], position.record);
}
