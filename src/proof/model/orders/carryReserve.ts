import { measure } from "../margin/health.ts";
import type { ModelState, Position } from "../state.ts";
import { reserveOf, restingOf } from "./orderMargin.ts";
import { removeOrder } from "./removeOrder.ts";

/** Cross equity and the margin that it reserved for an isolated market, before a taker matched there. */
export interface CrossBefore {
  readonly collateral: bigint;
  /** Undefined if it is beyond the storable range (NUM-3). */
  readonly reserve: bigint | undefined;
}

export function readCrossBefore(position: Position): CrossBefore {
  return {
    collateral: position.account.collateral,
    reserve: reserveOf(position, position.signedLots, restingOf(position)),
  };
}

/**
 * After a taker filled in an isolated market, its orders there stay if cross covers the margin that they reserve. They
 * also stay if neither the reserve grew nor collateral fell. Otherwise the newest are cancelled first (MRG-2, MRG-4).
 */
export function carryReserve(state: ModelState, position: Position, before: CrossBefore): void {
  const { account, market, mode, signedLots } = position;
  if (mode === "cross" || account.role === "house") return;
  for (;;) {
    const { equity, required } = measure({ account, isolated: undefined });
    if (equity >= required) return;
    const reserve = reserveOf(position, signedLots, restingOf(position));
    const rises = reserve === undefined || before.reserve === undefined || reserve > before.reserve;
    if (account.collateral >= before.collateral && !rises) return;
    const open = [...market.bids, ...market.asks].filter((order) => order.account === account && !order.reduceOnly);
    const newest = open.sort((a, b) => b.opened - a.opened)[0];
    if (newest === undefined) return;
    removeOrder(state, newest, "margin");
  }
}
