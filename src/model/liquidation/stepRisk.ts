import { positionsOf } from "../accounts.ts";
import { cancelIntents } from "../intents/hooks.ts";
import { type Bucket, bucketsOf, collateralOf, openPositionsOf } from "../margin/health.ts";
import { removeOrder } from "../orders/removeOrder.ts";
import { returnIsolated } from "../positions/applyFill.ts";
import type { ModelState, Position } from "../state.ts";
import { measureAbove } from "./above.ts";
import { backstopsOf, unwind } from "./backstop.ts";
import { cancelRiskIncreasing } from "./cancelRisk.ts";
import { coverDeficit, shareDeficit } from "./deficit.ts";
import { type Pass, readParts } from "./part.ts";
import { closePart } from "./policies.ts";
import { dueSinceOf, findQueue, isClosable, isDue, setDueSince } from "./queue.ts";

/** Step 5: the risk pass (LIQ). */
export function passRisk(state: ModelState): void {
  const pass = beginPass(state);
  const queue = findQueue(state);
  const most = state.genesis.liquidationsMax;
  const left = queue.slice(most);
  for (const bucket of queue.slice(0, most)) takeTurn(state, pass, bucket);
  for (const backstop of backstopsOf(state)) {
    const bucket: Bucket = { account: backstop, isolated: undefined };
    if (isDue(state, bucket)) takeTurn(state, pass, bucket);
    else for (const position of openPositionsOf(bucket)) if (isClosable(position)) unwind(state, position);
  }
  noteLeftOver(state, left);
}

function beginPass(state: ModelState): Pass {
  const held = state.accounts.flatMap((account) => positionsOf(account).filter(({ size }) => size !== 0n));
  return {
    heldAtStart: new Map(state.markets.map((market) => [market.ordinal, held.filter((at) => at.market === market)])),
    longAtStart: new Set(held.filter(({ size }) => size > 0n)),
    rankings: new Map(),
  };
}

/** Who is left over waits with the height from which; meanwhile their markets take no new exposure (LIQ). */
function noteLeftOver(state: ModelState, left: readonly Bucket[]): void {
  for (const market of state.markets) market.frozen = false;
  for (const account of state.accounts) {
    for (const bucket of bucketsOf(account)) {
      const waits = left.some((other) => other.account === account && other.isolated === bucket.isolated);
      setDueSince(bucket, waits ? dueSinceOf(bucket) || state.height : 0);
      if (waits) for (const { market } of openPositionsOf(bucket)) market.frozen = true;
    }
  }
}

function takeTurn(state: ModelState, pass: Pass, bucket: Bucket): void {
  if (!isDue(state, bucket)) return;
  const sides = openPositionsOf(bucket).map((position) => ({ position, wasLong: position.size > 0n }));
  cancelWhatAddsRisk(state, bucket);
  const parts = readParts(bucket);
  for (const part of parts) {
    const health = measureAbove(bucket);
    if (health.equity >= health.maintenance) break;
    if (isClosable(part.position)) closePart({ state, bucket, parts, pass }, part);
  }
  if (openPositionsOf(bucket).length > 0) return;
  if (collateralOf(bucket) < 0n) payDeficit(state, pass, bucket, sides);
  if (bucket.isolated !== undefined) returnIsolated(bucket.isolated);
}

/** Intents go but those that only reduce while a position is left; orders that may add to a position go (LIQ-1, INT-2). */
function cancelWhatAddsRisk(state: ModelState, bucket: Bucket): void {
  const { account, isolated } = bucket;
  const concerned = positionsOf(account).filter((position) =>
    isolated === undefined ? position.mode === "cross" : position === isolated,
  );
  // Orders of any market are reserved from cross collateral.
  cancelIntents(state, (intent) => {
    if (intent.account !== account || intent.reduceOnly || intent.state === "triggered") return false;
    return isolated === undefined || intent.market === isolated.market;
  });
  for (const position of concerned) for (const order of cancelRiskIncreasing(position)) removeOrder(state, order);
}

/** The fund pays, then those who held the opposite side when the pass began; the rest is bad debt (LIQ-6, LIQ-7). */
function payDeficit(
  state: ModelState,
  pass: Pass,
  bucket: Bucket,
  sides: readonly { readonly position: Position; readonly wasLong: boolean }[],
): void {
  const market = sides.at(-1)?.position.market ?? bucket.isolated?.market ?? state.markets[0]!;
  coverDeficit(state, bucket, market);
  const holders = sides.flatMap(({ position, wasLong }) =>
    (pass.heldAtStart.get(position.market.ordinal) ?? []).filter(
      (holder) => pass.longAtStart.has(holder) !== wasLong && holder.account.role !== "house",
    ),
  );
  shareDeficit(state, bucket, holders);
}
