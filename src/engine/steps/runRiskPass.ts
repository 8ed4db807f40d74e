import { NONE } from "../../collections/table.ts";
import { liquidate } from "../liquidation/liquidate.ts";
import { collectDue } from "../liquidation/queue.ts";
import { releaseIfEmpty } from "../state/positions.ts";
import type { AccountRow } from "../state/schema.ts";
import type { State } from "../state/state.ts";

/** Records of one block are numbered from here: id = height * 65,536 + place in the pass. */
const RECORDS_PER_BLOCK = 65_536;

/**
 * Step 5 of a block: liquidates every bucket that is due, in order, up to the venue's most; the others wait for the next
 * block and then come first (LIQ). Buckets that become liquidatable during the pass wait one block.
 */
export function runRiskPass(state: State): void {
  state.risk.crowded.clear();
  const due = collectDue(state);
  if (due.length === 0) return;
  const { risk, accounts } = state;
  risk.recording = true;
  let executed = 0;
  for (const { account } of due) {
    if (executed >= state.genesis.liquidationsMax) {
      risk.markDirty(accounts, account);
      noteCrowded(state, account);
      if (accounts.queuedSince[account] === 0) {
        accounts.queuedSince[account] = state.height;
        state.events.liquidationQueued({ account, since: state.height });
      }
      continue;
    }
    if (liquidate(state, account, state.height * RECORDS_PER_BLOCK + executed)) executed++;
    if (accounts.queuedSince[account] !== 0) {
      accounts.queuedSince[account] = 0;
      state.events.liquidationQueued({ account, since: 0 });
    }
  }
  risk.recording = false;
  risk.sizesBefore.clear();
  risk.rankings.clear();
  for (const position of risk.emptied) {
    if (state.positions.rows.isLive(position)) releaseIfEmpty(state, position);
  }
  risk.emptied.clear();
}

/** The markets of a bucket that is left over take no new exposure in this block (LIQ). */
function noteCrowded(state: State, account: AccountRow): void {
  const { positions, accounts, risk } = state;
  for (let at = accounts.position[account]; at !== NONE; at = positions.next[at]) {
    if (positions.size[at] !== 0) risk.crowded.add(positions.market[at]);
  }
}
