import type { ModelState, Order, Position } from "../state.ts";

/** An order with this id filled `lots`, as maker or taker: entries arm their legs, pairs shrink (INT-2). */
export function afterFillOfOrder(_state: ModelState, _orderId: number, _lots: bigint): void {}

/** An order that rested, or never did, has ended with nothing left to come (INT-2). */
export function afterOrderEnded(_state: ModelState, _orderId: number): void {}

/** A position became flat or turned (INT-2). */
export function afterPositionClosed(_state: ModelState, _position: Position): void {}

/** An order was put on the book or amended (INT-2). */
export function afterOrderRested(_state: ModelState, _order: Order): void {}
