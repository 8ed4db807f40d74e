import { NONE } from "../../../ground/collections/table.ts";
import { MARGIN_MODE } from "../../../protocol/words.ts";
import { DEPTH, isBelowMaintenance, measureMarginAccount } from "../margin/health.ts";
import { getCollateral, getQueuedSince, marginAccountMarket, setQueuedSince } from "../state/marginAccount.ts";
import type { AccountRow, PositionRow } from "../state/schema.ts";
import type { State } from "../state/state.ts";
import { armMarginAccount } from "./armTriggers.ts";
import { keepsTriggers } from "./keepsTriggers.ts";
import { endRecord, getRecord } from "./record.ts";

/** A margin account that is due, with what orders the queue. */
export interface Due {
  readonly account: AccountRow;
  /** The isolated position whose margin account it is, NONE for the account's cross margin account. */
  readonly isolated: PositionRow;
  /** Market of the isolated position, -1 for the cross margin account. */
  readonly market: number;
  /** Height at which it first was due; above any height for one that is due for the first time. */
  readonly since: number;
  readonly equity: bigint;
  readonly maintenance: bigint;
}

/** Result of checking the dirty accounts. */
interface Found {
  readonly due: Due[];
  /** Margin accounts that waited, or were closed in part, and are no longer due. */
  readonly recovered: { readonly account: AccountRow; readonly isolated: PositionRow; readonly market: number }[];
}

/**
 * The margin accounts due in this pass, in order: left over from earlier blocks, oldest first; then worst equity /
 * maintenance, larger maintenance, account id, its cross margin account before isolated ones by market (LIQ). Every
 * other margin account of a dirty account is armed again.
 *
 * The result is that of a check of every account. An account that is not dirty and whose triggers are not reached is
 * above maintenance in all its margin accounts.
 */
export function collectDue(state: State): Due[] {
  const { risk, positions, accounts, markets } = state;
  const count = markets.rows.high;
  for (let market = 0; market < count; market++) risk.fire(positions, accounts, markets, market as never);
  if (risk.dirty.length === 0) return [];
  const checked = risk.dirty;
  risk.dirty = [];
  let found: Found | undefined;
  for (let place = 0; place < checked.length; place++) {
    const account = checked[place]!;
    accounts.dirty[account] = 0;
    if (keepsTriggers(state, account)) continue;
    found ??= { due: [], recovered: [] };
    checkMarginAccount(state, found, account, NONE as PositionRow);
    if (!state.health.hasIsolated) continue;
    for (let at = accounts.position[account]; at !== NONE; at = positions.next[at]) {
      if (positions.mode[at] !== MARGIN_MODE.cross) checkMarginAccount(state, found, account, at);
    }
  }
  return found === undefined ? [] : settleFound(state, found);
}

/** Ends the waiting of recovered margin accounts, and returns the due ones in order. */
function settleFound(state: State, { due, recovered }: Found): Due[] {
  // In order of account and market: in which order accounts became dirty never shows.
  recovered.sort((a, b) => a.account - b.account || a.market - b.market);
  for (const { account, isolated } of recovered) {
    if (getQueuedSince(state, account, isolated) !== 0) setQueuedSince(state, account, isolated, 0);
    endRecord(state, account, isolated);
  }
  return due.length > 1 ? due.sort(compareDue) : due;
}

/** Checks one margin account: it is due, or it is armed. */
function checkMarginAccount(state: State, found: Found, account: AccountRow, isolated: PositionRow): void {
  const health = measureMarginAccount(state, account, isolated, DEPTH.risk);
  const since = getQueuedSince(state, account, isolated);
  // Flat with negative collateral is due, too (LIQ-7). With a position, equity decides.
  const bankrupt = health.notional === 0 && !health.overflow && getCollateral(state, account, isolated) < 0;
  if (isBelowMaintenance(health) || bankrupt) {
    found.due.push({
      account,
      isolated,
      market: marginAccountMarket(state, isolated),
      since: since === 0 ? Number.MAX_SAFE_INTEGER : since,
      equity: health.overflow ? health.bigEquity : BigInt(health.equity),
      maintenance: health.overflow ? health.bigMaintenance : BigInt(health.maintenance),
    });
  } else {
    if (since !== 0 || getRecord(state, account, isolated) !== 0)
      found.recovered.push({ account, isolated, market: marginAccountMarket(state, isolated) });
    armMarginAccount(state, account, isolated, health);
  }
}

function compareDue(a: Due, b: Due): number {
  if (a.since !== b.since) return a.since - b.since;
  const left = a.equity * b.maintenance;
  const right = b.equity * a.maintenance;
  if (left !== right) return left < right ? -1 : 1;
  if (a.maintenance !== b.maintenance) return a.maintenance > b.maintenance ? -1 : 1;
  return a.account - b.account || a.market - b.market;
}
