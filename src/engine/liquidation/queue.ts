import { DEPTH, isBelowMaintenance, measure } from "../margin/health.ts";
import type { AccountRow } from "../state/schema.ts";
import type { State } from "../state/state.ts";
import { armAccount } from "./arm.ts";

/** A bucket that is due, with what orders the queue. */
export interface Due {
  readonly account: AccountRow;
  /** Height at which it first was due; above any height for one that is due for the first time. */
  readonly since: number;
  readonly equity: bigint;
  readonly maintenance: bigint;
}

/**
 * Who is due in this pass, in order: left over from earlier blocks, oldest first; then worst equity / maintenance, larger
 * maintenance, account id (LIQ). Everybody else who was dirty is armed again.
 *
 * The result is that of a look at every account: an account that is neither dirty nor behind a reached trigger is above
 * maintenance.
 */
export function collectDue(state: State): Due[] {
  const { risk, positions, accounts, markets } = state;
  const count = markets.rows.high;
  for (let market = 0; market < count; market++) risk.fire(positions, accounts, markets, market as never);
  if (risk.dirty.length === 0) return [];
  const looked = risk.dirty;
  risk.dirty = [];
  const due: Due[] = [];
  const recovered: AccountRow[] = [];
  for (const account of looked) {
    accounts.dirty[account] = 0;
    const health = measure(state, account, DEPTH.risk);
    if (isBelowMaintenance(health) || isBankrupt(state, account)) {
      due.push({
        account,
        since: accounts.queuedSince[account] === 0 ? Number.MAX_SAFE_INTEGER : accounts.queuedSince[account],
        equity: health.wide ? health.bigEquity : BigInt(health.equity),
        maintenance: health.wide ? health.bigMaintenance : BigInt(health.maintenance),
      });
    } else {
      if (accounts.queuedSince[account] !== 0) recovered.push(account);
      armAccount(state, account, health);
    }
  }
  // In account order: in which order accounts became dirty never shows.
  for (const account of recovered.sort((a, b) => a - b)) {
    accounts.queuedSince[account] = 0;
    state.events.liquidationQueued({ account, since: 0 });
  }
  return due.length > 1 ? due.sort(compareDue) : due;
}

/** A flat account with negative collateral (LIQ-7). With a position, equity decides. */
function isBankrupt(state: State, account: AccountRow): boolean {
  return state.accounts.collateral[account] < 0 && state.health.notional === 0 && !state.health.wide;
}

function compareDue(a: Due, b: Due): number {
  if (a.since !== b.since) return a.since - b.since;
  const left = a.equity * b.maintenance;
  const right = b.equity * a.maintenance;
  if (left !== right) return left < right ? -1 : 1;
  if (a.maintenance !== b.maintenance) return a.maintenance > b.maintenance ? -1 : 1;
  return a.account - b.account;
}
