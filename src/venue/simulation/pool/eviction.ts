import { type Distance, isWaiting } from "./distance.ts";
import type { Pending } from "./lanes.ts";

/** A pending transaction with what decides whether it gives way. */
export interface Ranked extends Distance {
  /** How much its party holds for its stake, in powers of 16: greater gives way first. */
  readonly level: number;
  /** Its number among its party's transactions of the same readiness, the closest to execution first, from 1. */
  readonly number: number;
}

/** Among whom room is shared: owners of accounts, or the signers for one owner. */
export interface Parties {
  partyOf(pending: Pending): string;
  /** A whole number of at least 1; a party with 16 times the stake may hold 16 times as much. */
  stakeOf(party: string): number;
}

/**
 * Order of eviction. Transactions that wait come before those that the next block can include. Among these, those of
 * the parties that hold most for their stake come first; of these, the one furthest from execution. Within a sequential
 * lane the last nonce comes first: an eviction leaves no gap.
 */
export function rankForEviction(candidates: readonly Distance[], { partyOf, stakeOf }: Parties): Ranked[] {
  const parties = new Map<string, Distance[]>();
  for (const candidate of candidates) {
    const party = partyOf(candidate.pending);
    const own = parties.get(party);
    if (own === undefined) parties.set(party, [candidate]);
    else own.push(candidate);
  }
  const ranked: Ranked[] = [];
  for (const [party, own] of parties) {
    const stakeLevel = levelOf(stakeOf(party));
    own.sort(byCloseness);
    const ready = own.filter((candidate) => !isWaiting(candidate)).length;
    for (const [at, candidate] of own.entries()) {
      const number = at < ready ? at + 1 : at + 1 - ready;
      ranked.push({ ...candidate, level: levelOf(number) - stakeLevel, number });
    }
  }
  return ranked.sort(compareRanked);
}

/** Below 0 where `a` gives way before `b`. */
export function compareRanked(a: Ranked, b: Ranked): number {
  return (
    Number(isWaiting(b)) - Number(isWaiting(a)) ||
    b.level - a.level ||
    stepsOf(b) - stepsOf(a) ||
    b.number - a.number ||
    b.pending.arrival - a.pending.arrival
  );
}

function byCloseness(a: Distance, b: Distance): number {
  return stepsOf(a) - stepsOf(b) || a.place - b.place || a.pending.arrival - b.pending.arrival;
}

function stepsOf({ blocks, nonces }: Distance): number {
  return blocks + nonces;
}

/** Digits of a whole number in base 16. */
function levelOf(count: number): number {
  return Math.floor(count).toString(16).length;
}
