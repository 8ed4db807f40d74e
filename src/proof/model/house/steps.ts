import type { Side } from "../state.ts";
import { LIMIT, SIDES, TICKS_MOST } from "../words.ts";

/** Kinds of steps by their number (ACC-1). */
const KINDS = ["quote", "rest", "clear", "print", "last", "level", "ahead"] as const;
/** Bytes of a step: the doubles kind, price, size and side. */
export const STEP_BYTES = 32;
/** Greatest number of steps of a flow that may open an order. */
const OPENING_MOST = 64;

/** One step of a house flow: price in ticks, size in lots. */
export interface Step {
  readonly kind: (typeof KINDS)[number];
  readonly price: bigint;
  readonly lots: bigint;
  readonly side: Side;
}

/** The steps of a flow; undefined if they are malformed. */
export function readSteps(bytes: Uint8Array): Step[] | undefined {
  if (bytes.length % STEP_BYTES !== 0) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const steps: Step[] = [];
  for (let at = 0; at < bytes.length; at += STEP_BYTES) {
    const [kind, price, lots, side] = [0, 8, 16, 24].map((place) => view.getFloat64(at + place, true));
    if (
      !isWhole(kind, 0, BigInt(KINDS.length - 1)) ||
      !isWhole(price, 1, TICKS_MOST) ||
      !isWhole(lots, 0, LIMIT) ||
      !isWhole(side, 0, 1n)
    )
      return undefined;
    steps.push({ kind: KINDS[kind]!, price: BigInt(price), lots: BigInt(lots), side: SIDES[side as 0 | 1] });
  }
  return steps.filter(mayOpen).length <= OPENING_MOST ? steps : undefined;
}

/** Lots of a step that count in the storable range of its side (`NUMERIC_LIMIT`). */
export function countedLots({ kind, lots }: Step): bigint {
  return kind === "quote" || kind === "rest" || kind === "level" ? lots : 0n;
}

function mayOpen({ kind, lots }: Step): boolean {
  return kind === "quote" || kind === "rest" || (kind === "level" && lots > 0n);
}

function isWhole(value: number | undefined, least: number, most: bigint): value is number {
  return Number.isSafeInteger(value) && value! >= least && value! <= Number(most);
}
