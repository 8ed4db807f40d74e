import { compareProducts, PPM } from "../../math/fixed.ts";
import { DEPTH, measureBucket } from "../margin/health.ts";
import type { State } from "../state/state.ts";
import type { BucketName } from "./bucket.ts";

/**
 * Sign of equity * under - maintenance * over for a bucket as it stands now, compared crosswise (NUM-4). What is kept in
 * reserve for a backstop's loss limit is no equity here (LIQ-3).
 */
function compareEquity(state: State, bucket: BucketName, over: number, under: number): number {
  const health = measureBucket(state, bucket.account, bucket.isolated, DEPTH.risk);
  if (!health.wide && bucket.reserve === 0) return compareProducts(health.equity, under, health.maintenance, over);
  const equity = (health.wide ? health.bigEquity : BigInt(health.equity)) - BigInt(bucket.reserve);
  const maintenance = health.wide ? health.bigMaintenance : BigInt(health.maintenance);
  const difference = equity * BigInt(under) - maintenance * BigInt(over);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** Equity below maintenance. */
export function isLiquidatable(state: State, bucket: BucketName): boolean {
  return compareEquity(state, bucket, 1, 1) < 0;
}

/** Equity below two thirds of maintenance: no chunks, no waiting, and the backstop may step in (LIQ-2, LIQ-3). */
export function isDistressed(state: State, bucket: BucketName): boolean {
  return compareEquity(state, bucket, 2, 3) < 0;
}

/** Equity at or below a share of maintenance, in ppm: at 0, equity is gone (LIQ-4). */
export function isGone(state: State, bucket: BucketName, closeOut: number): boolean {
  return compareEquity(state, bucket, closeOut, PPM) <= 0;
}

/**
 * Whether a backstop may step in (LIQ-3): the bucket has equity, too little of it, and had some when its zero prices were
 * fixed. The zero price of one that had none asks for more than the mark: fills in the book may lift it above nothing,
 * but a backstop would pay for its deficit. It waits for its next turn.
 */
export function isTakeable(state: State, bucket: BucketName & { readonly equity: bigint }): boolean {
  return bucket.equity > 0n && isDistressed(state, bucket) && !isGone(state, bucket, 0);
}
