import { NONE } from "../../collections/table.ts";
import { allowsLiquidation } from "../../protocol/lifecycle.ts";
import { dropRiskyIntents } from "../intents/followOrders.ts";
import { bucketMarket, bucketOf, getCollateral } from "../margin/bucket.ts";
import { returnIsolated } from "../margin/isolated.ts";
import { releaseIfEmpty } from "../state/positions.ts";
import type { State } from "../state/state.ts";
import { type Bucket, type BucketName, openBucket, toAmount } from "./bucket.ts";
import { cancelIncreasing } from "./cancelIncreasing.ts";
import { coverDeficit } from "./deficit.ts";
import { isDistressed, isLiquidatable } from "./distress.ts";
import { isCooling } from "./pacing.ts";
import { getPolicy } from "./policies/index.ts";
import { endRecord, getRecord, isFlat, setRecord } from "./record.ts";

/**
 * The turn of one bucket in the risk pass (LIQ): cancel what adds risk; then each position as the policy of its market
 * says, by larger maintenance, until the bucket is healthy; at last the deficit of a flat bucket. One that is flat already
 * goes straight to it (LIQ-7).
 *
 * @param next number that its record gets, if it has none from an earlier turn
 * @returns false if there was nothing to do now (healthy again, or every position is cooling down)
 */
export function liquidate(state: State, name: BucketName, next: number): boolean {
  const { account, isolated } = name;
  state.risk.markDirty(state.accounts, account);
  if (!isLiquidatable(state, name)) return false;
  // A flat backstop may have moved away what its loss limit keeps out of reach: it owes nothing.
  if (name.reserve > 0 && isFlat(state, account, isolated) && getCollateral(state, account, isolated) >= 0) {
    endRecord(state, account, isolated);
    return false;
  }
  if (isWithheld(state, name) || isWaiting(state, name)) return false;
  cancelIncreasing(state, account, isolated);
  dropRiskyIntents(state, account, bucketMarket(state, isolated));
  const open = getRecord(state, account, isolated);
  const id = open === 0 ? next : open;
  setRecord(state, account, isolated, id);
  const bucket = openBucket(state, name, id);
  const step = {
    liquidation: id,
    account,
    bucket: bucketMarket(state, isolated),
    equity: toAmount(bucket.equity),
    maintenance: toAmount(bucket.maintenance),
  };
  if (open === 0) state.events.liquidationStarted(step);
  else state.events.liquidationContinued(step);
  for (const part of bucket.positions) {
    if (!isLiquidatable(state, bucket)) break;
    if (!allowsLiquidation(state.parameters[part.market]!)) continue;
    getPolicy(state, part.market).close(state, bucket, part);
  }
  finish(state, bucket);
  return true;
}

/** Whether no position of a bucket may be liquidated now, by status or pause of their markets (MKT). */
function isWithheld(state: State, name: BucketName): boolean {
  const { accounts, positions, parameters } = state;
  let open = false;
  for (let at = accounts.position[name.account]; at !== NONE; at = positions.next[at]) {
    if (positions.size[at] === 0 || bucketOf(state, at) !== name.isolated) continue;
    if (allowsLiquidation(parameters[positions.market[at]]!)) return false;
    open = true;
  }
  return open;
}

/**
 * Whether every position of a bucket that its market does not withhold waits out its cooldown, and the bucket is not so bad
 * that waiting ends (LIQ-2).
 */
function isWaiting(state: State, name: BucketName): boolean {
  const { positions, parameters } = state;
  let open = false;
  for (let at = state.accounts.position[name.account]; at !== NONE; at = positions.next[at]) {
    if (positions.size[at] === 0 || bucketOf(state, at) !== name.isolated) continue;
    if (!allowsLiquidation(parameters[positions.market[at]]!)) continue;
    if (!getPolicy(state, positions.market[at]).waits || !isCooling(state, at)) return false;
    open = true;
  }
  return open && !isDistressed(state, name);
}

function finish(state: State, bucket: Bucket): void {
  const { account, isolated } = bucket;
  const flat = isFlat(state, account, isolated);
  if (flat) coverDeficit(state, account, isolated, bucket.id);
  if (isolated !== NONE) returnIsolated(state, isolated);
  if (flat || !isLiquidatable(state, bucket)) endRecord(state, account, isolated);
  for (const { position } of bucket.positions) releaseIfEmpty(state, position);
}
