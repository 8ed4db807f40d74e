import { NONE } from "../../../ground/collections/table.ts";
import { liquidationOf } from "../../../protocol/liquidationId.ts";
import { isLiquidatable } from "../liquidation/distress.ts";
import { liquidate } from "../liquidation/liquidate.ts";
import { collectDue } from "../liquidation/queue.ts";
import { endRecord, getRecord, isFlat } from "../liquidation/record.ts";
import { unwind } from "../liquidation/unwind.ts";
import { mayLiquidate } from "../prices/validity.ts";
import { getQueuedSince, marginAccountOf, setQueuedSince } from "../state/marginAccount.ts";
import { releaseIfEmpty } from "../state/positions.ts";
import type { AccountRow, PositionRow } from "../state/schema.ts";
import type { State } from "../state/state.ts";

/**
 * Step 5 of a block: liquidates every due margin account, in order, up to the venue's most. The others wait for the
 * next block and come first there (LIQ). Margin accounts that become liquidatable during the pass wait one block. Then
 * come the backstops.
 */
export function runRiskPass(state: State): void {
  const { risk, accounts } = state;
  if (risk.queueFull.size > 0) risk.queueFull.clear();
  const due = collectDue(state);
  if (due.length === 0 && !hasBusyBackstop(state)) return;
  risk.recording = true;
  let executed = 0;
  let record = liquidationOf(state.height, 0);
  for (const { account, isolated } of due) {
    if (!mayLiquidate(state, account, isolated)) {
      // It keeps its age, and is checked again in the next block.
      risk.markDirty(accounts, account);
      continue;
    }
    // A margin account that others have closed since the pass began has nothing to close, and only this pass knows what
    // it held.
    if (executed >= state.genesis.liquidationsMax && !isFlat(state, account, isolated)) {
      risk.markDirty(accounts, account);
      noteQueueFull(state, account, isolated);
      if (getQueuedSince(state, account, isolated) === 0) setQueuedSince(state, account, isolated, state.height);
      continue;
    }
    const isNew = getRecord(state, account, isolated) === 0;
    if (liquidate(state, { account, isolated, reserve: 0 }, record)) {
      executed++;
      if (isNew) record++;
    }
    if (getQueuedSince(state, account, isolated) !== 0) setQueuedSince(state, account, isolated, 0);
  }
  runBackstops(state, record);
  risk.recording = false;
  risk.sizesBefore.clear();
  risk.rankings.clear();
  for (const position of risk.emptied) {
    if (state.positions.rows.isLive(position)) releaseIfEmpty(state, position);
  }
  risk.emptied.clear();
}

function hasBusyBackstop({ accounts, backstops }: State): boolean {
  for (let place = 0; place < backstops.length; place++) {
    const { account } = backstops[place]!;
    if (accounts.position[account] !== NONE || accounts.liquidation[account] !== 0) return true;
  }
  return false;
}

/**
 * The backstops, by account id (LIQ-3). Each is liquidated if its equity is below maintenance margin or below its
 * equity after the loss limit. Otherwise it unwinds. The queue does not contain them or their isolated positions, if
 * they have any.
 *
 * @param next number of the next record
 */
function runBackstops(state: State, next: number): void {
  const { positions, accounts, backstops } = state;
  let id = next;
  for (const backstop of backstops) {
    const { account } = backstop;
    if (!mayLiquidate(state, account, NONE as PositionRow)) continue;
    const due = isLiquidatable(state, backstop);
    if (!due) endRecord(state, account, NONE as PositionRow);
    // A liquidation step that continues a record begins none; an unwinding has a number of its own.
    const isNew = getRecord(state, account, NONE as PositionRow) === 0;
    if (due ? liquidate(state, backstop, id) && isNew : unwind(state, backstop, id)) id++;
    for (let at = accounts.position[account]; at !== NONE; at = positions.next[at]) {
      if (marginAccountOf(state, at) === NONE) continue;
      const name = { account, isolated: at, reserve: 0 };
      if (!isLiquidatable(state, name)) endRecord(state, account, at);
      else if (liquidate(state, name, id)) id++;
    }
  }
}

/** The markets of a margin account that is left over take no new exposure in this block (LIQ). */
function noteQueueFull(state: State, account: AccountRow, isolated: PositionRow): void {
  const { positions, accounts, risk } = state;
  for (let at = accounts.position[account]; at !== NONE; at = positions.next[at]) {
    if (positions.signedLots[at] !== 0 && marginAccountOf(state, at) === isolated)
      risk.queueFull.add(positions.market[at]);
  }
}
