import { NONE } from "../../collections/table.ts";
import { isLiquidatable } from "../liquidation/distress.ts";
import { liquidate } from "../liquidation/liquidate.ts";
import { collectDue } from "../liquidation/queue.ts";
import { unwind } from "../liquidation/unwind.ts";
import { bucketOf, getQueuedSince, setQueuedSince } from "../margin/bucket.ts";
import { mayLiquidate } from "../prices/validity.ts";
import { releaseIfEmpty } from "../state/positions.ts";
import type { AccountRow, PositionRow } from "../state/schema.ts";
import type { State } from "../state/state.ts";

/** Records of one block are numbered from here: id = height * 65,536 + place in the pass. */
const RECORDS_PER_BLOCK = 65_536;

/**
 * Step 5 of a block: liquidates every bucket that is due, in order, up to the venue's most; the others wait for the next
 * block and then come first (LIQ). Buckets that become liquidatable during the pass wait one block. Then the backstops.
 */
export function runRiskPass(state: State): void {
  state.risk.crowded.clear();
  const due = collectDue(state);
  const { risk, accounts, backstops } = state;
  if (due.length === 0 && !backstops.some(({ account }) => accounts.position[account] !== NONE)) return;
  risk.recording = true;
  let executed = 0;
  for (const { account, isolated } of due) {
    if (!mayLiquidate(state, account, isolated)) {
      // It keeps its age, and is looked at again in the next block.
      risk.markDirty(accounts, account);
      continue;
    }
    if (executed >= state.genesis.liquidationsMax) {
      risk.markDirty(accounts, account);
      noteCrowded(state, account, isolated);
      if (getQueuedSince(state, account, isolated) === 0) setQueuedSince(state, account, isolated, state.height);
      continue;
    }
    if (liquidate(state, { account, isolated, reserve: 0 }, state.height * RECORDS_PER_BLOCK + executed)) executed++;
    if (getQueuedSince(state, account, isolated) !== 0) setQueuedSince(state, account, isolated, 0);
  }
  runBackstops(state, executed);
  risk.recording = false;
  risk.sizesBefore.clear();
  risk.rankings.clear();
  for (const position of risk.emptied) {
    if (state.positions.rows.isLive(position)) releaseIfEmpty(state, position);
  }
  risk.emptied.clear();
}

/**
 * The backstops, by account id (LIQ-3): each is liquidated if its equity is below maintenance or what its loss limit
 * leaves, and otherwise unwinds. They stand outside the queue, and so do their isolated positions, if they made any.
 */
function runBackstops(state: State, executed: number): void {
  const { positions, accounts, backstops } = state;
  let id = state.height * RECORDS_PER_BLOCK + executed;
  for (const backstop of backstops) {
    const { account } = backstop;
    if (!mayLiquidate(state, account, NONE as PositionRow)) continue;
    if (isLiquidatable(state, backstop) ? liquidate(state, backstop, id) : unwind(state, backstop, id)) id++;
    for (let at = accounts.position[account]; at !== NONE; at = positions.next[at]) {
      if (bucketOf(state, at) !== NONE && liquidate(state, { account, isolated: at, reserve: 0 }, id)) id++;
    }
  }
}

/** The markets of a bucket that is left over take no new exposure in this block (LIQ). */
function noteCrowded(state: State, account: AccountRow, isolated: PositionRow): void {
  const { positions, accounts, risk } = state;
  for (let at = accounts.position[account]; at !== NONE; at = positions.next[at]) {
    if (positions.size[at] !== 0 && bucketOf(state, at) === isolated) risk.crowded.add(positions.market[at]);
  }
}
