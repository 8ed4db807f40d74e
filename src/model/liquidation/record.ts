import type { LIQUIDATION_STAGES } from "../../protocol/events.ts";
import { type Bucket, openPositionsOf } from "../margin/health.ts";
import type { ModelState } from "../state.ts";
import { tell } from "../told.ts";
import type { Pass } from "./part.ts";

/** Numbers of records: the n-th that begins at a height, from 0, is height * 65,536 + n (LIQ). */
export const RECORDS_PER_BLOCK = 65_536;

/** Number of a bucket's open record, 0 for none. */
export function recordOf({ account, isolated }: Bucket): number {
  return (isolated ?? account).record;
}

/** A bucket's first turn opens a record, and its later ones go on with it (LIQ). */
export function openRecord(pass: Pass, { account, isolated }: Bucket): void {
  const owner = isolated ?? account;
  if (owner.record === 0) owner.record = pass.nextRecord++;
}

/** A record ends where its bucket is found healthy or without a position (LIQ). */
export function endRecord(state: ModelState, bucket: Bucket): void {
  const { account, isolated } = bucket;
  if (recordOf(bucket) === 0) return;
  tellStage(state, bucket, openPositionsOf(bucket).length === 0 ? "completed" : "recovered", undefined, 0);
  (isolated ?? account).record = 0;
}

/** @param market ordinal of the market in which the stage is, undefined for none */
export function tellStage(
  state: ModelState,
  bucket: Bucket,
  stage: (typeof LIQUIDATION_STAGES)[number],
  market: number | undefined,
  cooldownMs: number,
): void {
  tell(state, "liquidationStage", {
    liquidation: recordOf(bucket),
    account: bucket.account.id,
    stage,
    market: market ?? -1,
    cooldownMs,
    bucket: placeOf(bucket),
  });
}

/** Market of an isolated bucket, -1 for cross. */
export function placeOf({ isolated }: Bucket): number {
  return isolated === undefined ? -1 : isolated.market.ordinal;
}
