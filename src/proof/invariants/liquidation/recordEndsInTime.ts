import { NONE } from "../../../ground/collections/table.ts";
import { VALIDITY } from "../../../protocol/validity.ts";
import { ROLE } from "../../../protocol/words.ts";
import type { AccountRow, PositionRow } from "../../../venue/engine/state/schema.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";
import { RowSet } from "../machinery/ledger/rowSet.ts";
import type { Moment } from "../machinery/moment.ts";
import { measureDue } from "./stageHasReason.ts";

/** Accounts that liquidation steps of other margin accounts changed in a risk pass. */
interface Moved {
  /** Accounts that traded with, or were charged by, liquidation steps of others. */
  readonly others: RowSet;
  /** Accounts whose cross margin account received the rest of an isolated one. */
  readonly paid: RowSet;
}

export const recordEndsInTime = defineInvariant({
  id: "recordEndsInTime",
  sentence:
    "After a risk pass an open record means a margin account below maintenance with open positions, unless liquidation steps of others changed it.",
  rules: ["LIQ", "LIQ-3"],
  catalogue: ["L09"],
  when: "transaction",
  moments: ["riskPassed"],
  start: (): Moved => ({ others: new RowSet(), paid: new RowSet() }),
  touched(moment, moved) {
    const { others, paid } = moved;
    others.clear();
    paid.clear();
    for (const event of moment.events) {
      if (event.kind === "lossSocialized") others.add(event.account);
      else if (event.kind === "deleveraged") others.add(event.counterparty);
      else if (event.kind === "fill") others.add(event.makerAccount);
      else if (event.kind === "isolatedMarginChanged") paid.add(event.account);
    }
    return findLeft(moment, moved);
  },
});

/**
 * Finds a record that the pass should have ended. A margin account that steps of others changed may be healthy or flat
 * now; the next pass ends its record.
 */
function findLeft(moment: Moment, moved: Moved): string | undefined {
  const { accounts, positions } = moment.state;
  for (let account = 0 as AccountRow; account < accounts.rows.high; account++) {
    if (accounts.liquidation[account] !== 0) {
      const fault = checkOpen(moment, moved, account, NONE as PositionRow);
      if (fault !== undefined) return fault;
    }
    for (let at = accounts.position[account]; at !== NONE; at = positions.next[at]) {
      const fault = positions.liquidation[at] === 0 ? undefined : checkOpen(moment, moved, account, at);
      if (fault !== undefined) return fault;
    }
  }
  return undefined;
}

function checkOpen(
  moment: Moment,
  { others, paid }: Moved,
  account: AccountRow,
  isolated: PositionRow,
): string | undefined {
  const { state } = moment;
  if (others.has(account) || (isolated === NONE && paid.has(account)) || waitsForPrice(state, account, isolated))
    return undefined;
  moment.met++;
  const marginAccount = isolated === NONE ? undefined : isolated;
  const { equity, maintenance, notional } = measureDue(state, state, account, marginAccount);
  if (notional > 0n && equity < maintenance) return undefined;
  return `account ${account} has ${equity} of ${maintenance} after the pass, and its record is open`;
}

/** A backstop is not checked while the price of one of its markets does not allow liquidation. */
function waitsForPrice(state: State, account: AccountRow, isolated: PositionRow): boolean {
  const { accounts, positions, markets } = state;
  if (accounts.role[account] !== ROLE.backstop) return false;
  for (let at = accounts.position[account]; at !== NONE; at = positions.next[at]) {
    if (positions.signedLots[at] === 0 || (positions.mode[at] !== 0 && at !== isolated)) continue;
    const market = positions.market[at];
    if (markets.restarting[market] !== 0 || markets.validity[market] < VALIDITY.tooUncertain) return true;
  }
  return false;
}
