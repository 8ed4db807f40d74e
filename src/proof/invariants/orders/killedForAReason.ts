import { NONE } from "../../../ground/collections/table.ts";
import type { Payloads } from "../../../protocol/actions/index.ts";
import { CANCEL_CAUSE, type EventOf, type VenueEvent } from "../../../protocol/events.ts";
import type { Block } from "../../../protocol/transaction.ts";
import { ROLE, TIME_IN_FORCE } from "../../../protocol/words.ts";
import { applyBlock } from "../../../venue/engine/applyBlock.ts";
import { ORDERS_PER_TRANSACTION } from "../../../venue/engine/handler/defineHandler.ts";
import type { AccountRow, MarketRow } from "../../../venue/engine/state/schema.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { positionsOf } from "../../../venue/engine/state/walk.ts";
import { createStep, defineInvariant, eventsOf, type Step } from "../machinery/defineInvariant.ts";
import { exactHealth } from "../machinery/exact/health.ts";

/** Quote units: far from the storable limit, and far from a maker's fill margin. */
const FAR = 1_000_000_000_000_000n;
const MARGIN = 1_000n;

export const killedForAReason = defineInvariant({
  id: "killedForAReason",
  sentence:
    "A fill-or-kill order is not killed if the same order as immediate-or-cancel would fill whole. Checked for makers that trade once each, with margin to spare and far from every cap.",
  rules: ["ORD-2"],
  catalogue: ["B06"],
  when: "block",
  sweep: findKilled,
});

export function findKilled(state: State, step: Step): string | undefined {
  // Venues with intents are skipped: orders may be watched, and fired intents hide the state after a transaction.
  if (state.intents.rows.count > 0 || step.before.intents.rows.count > 0) return undefined;
  const killed: number[] = [];
  for (let place = 0; place < step.block.transactions.length; place++) if (isKilled(step, place)) killed.push(place);
  if (killed.length === 0) return undefined;
  // One killed order a block: the check costs the block once more.
  const index = killed[step.turn % killed.length]!;
  step.met++;
  const fork = step.fork(step.before);
  const block = withoutKill(step.block, index);
  const again = createStep(step.before, block, applyBlock(fork, block));
  const reported = eventsOf(again, index);
  const { order, account, market } = findCancelled(eventsOf(step, index))!;
  const fills = reported.flatMap((event) => (event.kind === "fill" && event.takerOrder === order ? [event] : []));
  const filled = fills.reduce((sum, { size }) => sum + size, 0);
  if (filled !== wantedLots(step, index, market)) return undefined;
  if (reported.some((event) => event.kind === "orderCancelled") || isInDoubt(fork, account, market, fills))
    return undefined;
  return `order ${order} of ${filled} lots is killed, and would have filled from ${fills.length} makers`;
}

/** Whether a transaction is a fill-or-kill order that filled nothing. */
function isKilled(step: Step, index: number): boolean {
  const { action, payload } = step.block.transactions[index]!;
  if (action !== "placeOrder" || step.result.receipts.codes[index] !== 0) return false;
  if ((payload as Payloads["placeOrder"]).timeInForce !== TIME_IN_FORCE.FOK) return false;
  const events = eventsOf(step, index);
  return events.every(({ kind }) => kind !== "fill") && findCancelled(events) !== undefined;
}

function findCancelled(events: readonly VenueEvent[]): EventOf<"orderCancelled"> | undefined {
  const ended = events.flatMap((event) => (event.kind === "orderCancelled" ? [event] : []));
  const [only] = ended;
  const isPlaced = only !== undefined && only.order % ORDERS_PER_TRANSACTION === 0;
  return ended.length === 1 && isPlaced && only.cause === CANCEL_CAUSE.timeInForce ? only : undefined;
}

function wantedLots({ before, block }: Step, index: number, market: number): number {
  const { size } = block.transactions[index]!.payload as Payloads["placeOrder"];
  return size / before.parameters[market]!.lotSize;
}

/** The block up to an order, which becomes immediate-or-cancel. */
function withoutKill(block: Block, index: number): Block {
  const transactions = block.transactions.slice(0, index + 1);
  const killed = transactions[index]!;
  const payload = { ...(killed.payload as Payloads["placeOrder"]), timeInForce: TIME_IN_FORCE.IOC };
  transactions[index] = { ...killed, payload };
  return { ...block, transactions };
}

/** Whether ORD-2 may allow the kill: every case that is not simple. */
function isInDoubt(state: State, taker: number, market: number, fills: readonly EventOf<"fill">[]): boolean {
  const { openInterestLimitLots, positionLimitLots } = state.parameters[market]!;
  const lots = fills.reduce((sum, { size }) => sum + size, 0);
  const value = fills.reduce((sum, fill) => sum + BigInt(fill.value), 0n);
  const isFarFrom = (limit: number, reached: number) => Math.abs(reached) + 2 * lots <= limit;
  if (value * 100n > FAR || !isFarFrom(openInterestLimitLots, state.markets.openInterest[market as MarketRow]!))
    return true;
  const makers = new Set(fills.map(({ makerAccount }) => makerAccount));
  if (makers.size < fills.length) return true;
  return [taker, ...makers].some((account) => {
    const row = account as AccountRow;
    if (account !== taker && state.accounts.role[row] === ROLE.house) return false;
    if (!isFarFrom(positionLimitLots, ownersLots(state, row, market)) || isIsolated(state, row, market)) return true;
    const { equity, positionInitial, maintenance } = exactHealth(state, row);
    if (equity > FAR || equity < -FAR || positionInitial > FAR) return true;
    // The engine's forecast does not count a rebate.
    return account !== taker && equity * 2n < positionInitial + maintenance + value / 50n + MARGIN;
  });
}

/** The largest sum of absolute sizes over subsets of an owner's accounts in a market. */
function ownersLots(state: State, account: AccountRow, market: number): number {
  const { accounts, owners } = state;
  let sum = 0;
  for (let at: AccountRow = owners.account[accounts.owner[account]]; at !== NONE; at = accounts.ownerNext[at]) {
    for (const row of positionsOf(state, at)) {
      if (state.positions.market[row] === market) sum += Math.abs(state.positions.signedLots[row]!);
    }
  }
  return sum;
}

function isIsolated({ positions, ...state }: State, account: AccountRow, market: number): boolean {
  return positionsOf({ positions, accounts: state.accounts }, account).some(
    (row) => positions.market[row] === market && positions.mode[row] !== 0,
  );
}
