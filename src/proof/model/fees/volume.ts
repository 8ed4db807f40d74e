import type { Address } from "../../../protocol/fields.ts";
import { min } from "../arithmetic.ts";
import type { Account, Market, ModelState } from "../state.ts";
import { DAY_MS, LIMIT } from "../words.ts";

/** Number of completed UTC days that determine fees (ORD-7). */
const DAYS = 30;

function dayOf(timeMs: number): number {
  return Math.floor(timeMs / DAY_MS);
}

/** Deletes volumes of UTC days more than 30 days ago (ORD-7). */
export function forgetVolumes(state: ModelState): void {
  const first = dayOf(state.timeMs) - DAYS;
  for (const [owner, traded] of state.volumes) {
    for (const day of traded.keys()) if (day < first) traded.delete(day);
    if (traded.size === 0) state.volumes.delete(owner);
  }
}

/** Volume of an owner's subaccounts in the 30 UTC days before this one. */
export function volumeOf(state: ModelState, owner: Address): bigint {
  const today = dayOf(state.timeMs);
  let volume = 0n;
  for (const [day, traded] of state.volumes.get(owner) ?? []) {
    if (day >= today - DAYS && day < today) volume += traded;
  }
  return min(volume, LIMIT);
}

/** Rates of an account in a market, ppm: those of the highest tier that its owner's volume reaches (ORD-7). */
export function feeRatesOf(state: ModelState, account: Account, market: Market): { taker: bigint; maker: bigint } {
  const { takerFee, makerFee, feeTiers } = market.parameters;
  if (feeTiers.length === 0) return { taker: takerFee, maker: makerFee };
  const volume = volumeOf(state, account.owner);
  const tier = feeTiers.findLast(({ from }) => volume >= from);
  return tier === undefined ? { taker: takerFee, maker: makerFee } : { taker: tier.takerFee, maker: tier.makerFee };
}

/**
 * Counts a fill for both owners, while any market has fee tiers. The house has no volume, and a fill between an owner's
 * own subaccounts counts for neither (ORD-7, decision 0008).
 */
export function countVolume(state: ModelState, maker: Account, taker: Account, value: bigint): void {
  if (maker.owner === taker.owner || state.markets.every(({ parameters }) => parameters.feeTiers.length === 0)) return;
  const day = dayOf(state.timeMs);
  for (const { owner, role } of [maker, taker]) {
    if (role === "house") continue;
    const traded = state.volumes.get(owner) ?? new Map<number, bigint>();
    traded.set(day, min(LIMIT, (traded.get(day) ?? 0n) + value));
    state.volumes.set(owner, traded);
  }
}
