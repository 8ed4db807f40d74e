import { NONE } from "../../../ground/collections/table.ts";
import { type Amount, LIMIT, type Ppm } from "../../../ground/math/fixed.ts";
import type { FeeTier } from "../../../protocol/feeTiers.ts";
import type { MarketParameters } from "../../../protocol/parameters.ts";
import { ROLE } from "../../../protocol/words.ts";
import type { AccountRow, OwnerRow, VolumeRow } from "../state/schema.ts";
import type { State } from "../state/state.ts";

/*
 * Fees by volume (ORD-7). It is the notional that all subaccounts of an owner traded, as taker or maker and in any
 * market, in the last 30 UTC days of block time. Today does not count. So rates change at midnight only, and the order
 * cost and the fills of one day have the same rates. Liquidations count for no account. Neither do fills between an
 * owner's own subaccounts, nor the trades of the house for the house. Volume is counted while some market has fee
 * tiers.
 */

/** UTC days of volume that count. */
export const VOLUME_DAYS = 30;
const DAY_MS = 86_400_000;

export function dayOf(timeMs: number): number {
  return Math.floor(timeMs / DAY_MS);
}

export function getTakerRate(state: State, rules: MarketParameters, account: AccountRow): Ppm {
  if (rules.feeTiers.length === 0) return rules.takerFee;
  return findTier(state, rules, account)?.takerFee ?? rules.takerFee;
}

export function getMakerRate(state: State, rules: MarketParameters, account: AccountRow): Ppm {
  if (rules.feeTiers.length === 0) return rules.makerFee;
  return findTier(state, rules, account)?.makerFee ?? rules.makerFee;
}

function findTier(state: State, rules: MarketParameters, account: AccountRow): FeeTier | undefined {
  const volume = state.owners.volumePast[state.accounts.owner[account]];
  const { feeTiers } = rules;
  let place = feeTiers.length - 1;
  while (place >= 0 && feeTiers[place]!.from > volume) place--;
  return feeTiers[place];
}

/** Counts a fill for its two owners. */
export function countVolume(state: State, taker: AccountRow, maker: AccountRow, value: number): void {
  const { accounts } = state;
  if (accounts.owner[taker] === accounts.owner[maker]) return;
  for (const account of [taker, maker]) {
    if (accounts.role[account] !== ROLE.house) addVolume(state, account, value);
  }
}

function addVolume(state: State, account: AccountRow, value: number): void {
  const day = dayOf(state.timeMs);
  const owner = state.accounts.owner[account];
  let row = state.owners.volume[owner];
  if (row === NONE || state.volumes.day[row] !== day) {
    row = putVolume(state, owner, day, 0 as Amount);
  } else if (state.journal.on) {
    state.journal.row(state.volumes, row);
  }
  const volume = Math.min(state.volumes.volume[row] + value, LIMIT) as Amount;
  state.volumes.volume[row] = volume;
  state.events.volumeCounted({ account, day, volume });
}

/** Adds a day that is later than every other of its owner. */
export function putVolume(state: State, owner: OwnerRow, day: number, volume: Amount): VolumeRow {
  const { owners, journal } = state;
  if (journal.on) journal.row(owners, owner);
  const row = journal.allocate(state.volumes);
  const { volumes } = state;
  volumes.owner[row] = owner;
  volumes.day[row] = day;
  volumes.volume[row] = volume;
  volumes.older[row] = owners.volume[owner];
  owners.volume[owner] = row;
  return row;
}

/** Computes the volume of every owner in the days that count; once a day. Cost: once per owner and day. */
export function refreshPastVolumes(state: State): void {
  const { owners, volumes } = state;
  const today = dayOf(state.timeMs);
  for (let owner = 0 as OwnerRow; owner < owners.rows.high; owner++) {
    let sum = 0;
    for (let at = owners.volume[owner]; at !== NONE; at = volumes.older[at]) {
      if (volumes.day[at] < today && volumes.day[at] >= today - VOLUME_DAYS)
        sum = Math.min(sum + volumes.volume[at], LIMIT);
    }
    owners.volumePast[owner] = sum as Amount;
  }
}

/** Removes the days that no longer count, and emits it if there were any. */
export function forgetVolumes(state: State): void {
  const { owners, volumes, events } = state;
  const first = dayOf(state.timeMs) - VOLUME_DAYS;
  let gone = false;
  for (let owner = 0 as OwnerRow; owner < owners.rows.high; owner++) {
    let kept = NONE as VolumeRow;
    let at = owners.volume[owner];
    while (at !== NONE && volumes.day[at] >= first) {
      kept = at;
      at = volumes.older[at];
    }
    if (at === NONE) continue;
    gone = true;
    if (kept === NONE) owners.volume[owner] = NONE as VolumeRow;
    else volumes.older[kept] = NONE as VolumeRow;
    while (at !== NONE) {
      const older = volumes.older[at];
      volumes.rows.release(at);
      at = older;
    }
  }
  if (gone) events.volumesForgotten({ day: first });
}

/** Whether volume is counted, after parameters changed. */
export function refreshTiered(state: State): void {
  state.tiered = state.parameters.some(({ feeTiers }) => feeTiers.length > 0);
}
