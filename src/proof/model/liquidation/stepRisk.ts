import { positionsOf } from "../accounts.ts";
import { cancelIntents } from "../intents/hooks.ts";
import { type MarginAccount, marginAccountsOf, openPositionsOf } from "../margin/health.ts";
import { removeOrder } from "../orders/removeOrder.ts";
import { returnIsolated } from "../positions/applyFill.ts";
import type { ModelState } from "../state.ts";
import { backstopsOf, unwind } from "./backstop.ts";
import { ordersAddingTo } from "./cancelRisk.ts";
import { payDeficit } from "./deficit.ts";
import { openStep, type Pass } from "./liquidationStep.ts";
import { closePart } from "./policies.ts";
import { dueSinceOf, findQueue, hasStep, isClosable, isDue, mayLiquidate, setDueSince } from "./queue.ts";
import { endRecord, RECORDS_PER_BLOCK } from "./record.ts";

/** Step 5: the risk pass (LIQ). */
export function passRisk(state: ModelState): void {
  const pass = beginPass(state);
  const queue = findQueue(state);
  forgetRecovered(state, queue);
  let done = 0;
  for (const marginAccount of queue) {
    // It keeps its age and is checked again in the next block.
    if (!mayLiquidate(state, marginAccount)) continue;
    if (done >= state.genesis.liquidationsMax && openPositionsOf(marginAccount).length > 0) {
      leaveOver(state, marginAccount);
      continue;
    }
    if (runStep(state, pass, marginAccount)) done++;
    setDueSince(marginAccount, 0);
  }
  for (const backstop of backstopsOf(state)) {
    const marginAccount: MarginAccount = { account: backstop, isolated: undefined };
    if (!mayLiquidate(state, marginAccount)) continue;
    if (isDue(marginAccount)) runStep(state, pass, marginAccount);
    else {
      endRecord(state, marginAccount);
      unwind(state, pass, backstop, isClosable);
    }
  }
}

function beginPass(state: ModelState): Pass {
  for (const market of state.markets) market.frozen = false;
  const held = state.accounts.flatMap((account) => positionsOf(account).filter(({ signedLots }) => signedLots !== 0n));
  return {
    longs: held.filter(({ signedLots }) => signedLots > 0n),
    shorts: held.filter(({ signedLots }) => signedLots < 0n),
    signedLots: new Map(held.map((position) => [position, position.signedLots])),
    rankings: new Map(),
    nextRecord: state.height * RECORDS_PER_BLOCK,
  };
}

function forgetRecovered(state: ModelState, queue: readonly MarginAccount[]): void {
  const key = ({ account, isolated }: MarginAccount) => isolated ?? account;
  const due = new Set(queue.map(key));
  for (const marginAccount of state.accounts.filter(({ role }) => role === "normal").flatMap(marginAccountsOf)) {
    if (due.has(key(marginAccount))) continue;
    setDueSince(marginAccount, 0);
    endRecord(state, marginAccount);
  }
}

/**
 * Margin accounts left over keep the height of their first wait; meanwhile their markets take no new exposure (LIQ).
 */
function leaveOver(state: ModelState, marginAccount: MarginAccount): void {
  if (dueSinceOf(marginAccount) === 0) setDueSince(marginAccount, state.height);
  for (const { market } of openPositionsOf(marginAccount)) market.frozen = true;
}

/** One margin account's liquidation step; returns whether there was anything to do. */
function runStep(state: ModelState, pass: Pass, marginAccount: MarginAccount): boolean {
  if (!isDue(marginAccount) || !hasStep(state, marginAccount)) return false;
  cancelWhatAddsRisk(state, marginAccount);
  const step = openStep(state, pass, marginAccount);
  for (const part of step.parts) {
    if (!isDue(marginAccount)) break;
    if (isClosable(part.position)) closePart(step, part);
  }
  if (openPositionsOf(marginAccount).length === 0) payDeficit(state, pass, marginAccount);
  if (marginAccount.isolated?.signedLots === 0n) returnIsolated(marginAccount.isolated);
  if (openPositionsOf(marginAccount).length === 0 || !isDue(marginAccount)) endRecord(state, marginAccount);
  return true;
}

/**
 * Cancels orders that could add to a position, and all intents but reduce-only ones. Orders of any market reserve cross
 * collateral: a cross margin account's step also cancels those of isolated positions (LIQ-1, INT-2).
 */
function cancelWhatAddsRisk(state: ModelState, { account, isolated }: MarginAccount): void {
  for (const position of isolated === undefined ? positionsOf(account) : [isolated]) {
    for (const order of ordersAddingTo(position)) removeOrder(state, order, "liquidation");
  }
  const addRisk = [...state.intents.values()].filter((intent) => {
    if (intent.account !== account || intent.reduceOnly || intent.state === "triggered") return false;
    return isolated === undefined || intent.market === isolated.market;
  });
  cancelIntents(state, "liquidation", (intent) => addRisk.includes(intent));
  // No leg ends before its entry (INT-5).
  for (const entry of new Set(addRisk.map(({ entry }) => entry).sort((a, b) => a - b))) {
    const order = state.orders.get(entry);
    if (order !== undefined) removeOrder(state, order, "liquidation");
  }
}
