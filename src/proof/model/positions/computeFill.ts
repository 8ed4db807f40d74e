import { abs, divTrunc } from "../arithmetic.ts";

/** A position after a fill, and the profit that the fill realised. */
export interface Filled {
  readonly signedLots: bigint;
  readonly cost: bigint;
  readonly realized: bigint;
}

/**
 * Signed lots for a signed value, which is positive where it is paid. In every case cost' = cost + value + realised
 * (POS-2).
 *
 * | fill | realised |
 * |---|---|
 * | increases | 0 |
 * | reduces | -value - trunc(cost * lots / size) |
 * | closes | -value - cost |
 * | through zero | as a close of the old size, with its part of the value, toward zero |
 */
export function computeFill(before: { signedLots: bigint; cost: bigint }, lots: bigint, value: bigint): Filled {
  const { signedLots, cost } = before;
  if (signedLots === 0n || signedLots > 0n === lots > 0n)
    return { signedLots: signedLots + lots, cost: cost + value, realized: 0n };
  if (abs(lots) < abs(signedLots)) {
    const released = divTrunc(cost * abs(lots), abs(signedLots));
    return { signedLots: signedLots + lots, cost: cost - released, realized: -value - released };
  }
  const rest = signedLots + lots;
  const closing = divTrunc(value * signedLots, -lots);
  return { signedLots: rest, cost: value - closing, realized: -closing - cost };
}
