/** Books, resting orders, fills and intents. */

import { eventsOf, type Step } from "../../../../src/proof/invariants/machinery/defineInvariant.ts";
import { findKilled } from "../../../../src/proof/invariants/orders/killedForAReason.ts";
import type { Payloads } from "../../../../src/protocol/actions/index.ts";
import { CANCEL_CAUSE, type VenueEvent } from "../../../../src/protocol/events.ts";
import { REDUCE_ONLY_RESTING, TIME_IN_FORCE } from "../../../../src/protocol/words.ts";
import { forkState } from "../../../../src/venue/engine/state/forkState.ts";
import { FLAG_REDUCE_ONLY, FLAG_SELL } from "../../../../src/venue/engine/state/schema.ts";
import type { State } from "../../../../src/venue/engine/state/state.ts";
import { listPositions } from "../../../../src/venue/engine/state/walk.ts";
import { findMoment } from "../../../helpers/flows.ts";
import { loose } from "../../../helpers/loose.ts";
import { change, eventStep, findClosing, firstOpen, firstOrder, type Plants, wasOpen } from "./plant.ts";

const marketWith = (state: State, isWanted: (market: number) => boolean) =>
  state.books.findIndex((_book, market) => isWanted(market));

/** A moment in which the trigger of an intent was reached. */
const triggered = () => findMoment(({ step }) => step.events.some(({ kind }) => kind === "intentTriggered"));

/** A block with a fill and without a change of a market, which would make its fees uncertain. */
const filled = () =>
  findMoment(({ step }) => {
    const kinds = new Set(step.events.map(({ kind }) => kind));
    return kinds.has("fill") && !kinds.has("marketChanged");
  });

/** A step in which each order that filled at once was fill-or-kill and is killed. */
function asKilled(step: Step): Step {
  const transactions = [...step.block.transactions];
  let events: readonly VenueEvent[] = step.events;
  for (const [index, transaction] of transactions.entries()) {
    const reported = eventsOf(step, index);
    const fill = reported.find((event) => event.kind === "fill");
    const isDone = reported.every(({ kind }) => kind !== "orderOpened" && kind !== "orderCancelled");
    if (transaction.action !== "placeOrder" || fill === undefined || !isDone) continue;
    const payload = { ...(transaction.payload as Payloads["placeOrder"]), timeInForce: TIME_IN_FORCE.FOK };
    transactions[index] = { ...transaction, payload };
    const { takerOrder: order, takerAccount: account, market, size: remaining } = fill;
    const cause = CANCEL_CAUSE.timeInForce;
    const killed: VenueEvent = { kind: "orderCancelled", order, account, market, remaining, cause };
    const nothing: VenueEvent = { kind: "minted", account, amount: 0 };
    events = events.map((event) => (event === reported[0] ? killed : reported.includes(event) ? nothing : event));
  }
  return { ...step, events, block: { ...step.block, transactions } };
}

export const orderPlants: Plants = {
  bookUncrossed: [
    {
      fault: "a bid at the best ask",
      plant(state) {
        const market = marketWith(state, (at) => state.books[at]!.bestBid !== 0 && state.books[at]!.bestAsk !== 0);
        const { bestBid, bestAsk } = state.books[market]!;
        loose(state.orders.price)[state.books[market]!.head(bestBid)] = bestAsk;
      },
    },
    {
      fault: "a best bid that is not the best",
      plant(state) {
        const book = state.books.find(({ bestBid }) => bestBid !== 0)!;
        book.bestBid = (book.bestBid - 1) as typeof book.bestBid;
      },
    },
  ],
  reserves: (["buys", "sells", "buyOrderCost", "sellOrderCost", "reduceOnly", "orderCount"] as const).map((name) => ({
    fault: `one too much in ${name}`,
    plant: (state: State) => void loose(state.positions[name])[firstOpen(state)]!++,
  })),
  reduceOnlyWithin: [
    {
      fault: "more than the position",
      plant(state) {
        const at = listPositions(state).find(
          (position) => findClosing(state, position) !== undefined && state.positions.signedLots[position] !== 0,
        )!;
        const order = findClosing(state, at)!;
        loose(state.orders.flags)[order]! |= FLAG_REDUCE_ONLY;
        loose(state.orders.remaining)[order] = Math.abs(state.positions.signedLots[at]!) + 1;
        const market = state.positions.market[at]!;
        state.parameters[market] = { ...state.parameters[market]!, reduceOnlyResting: REDUCE_ONLY_RESTING.trim };
      },
    },
    {
      fault: "on the opening side",
      plant(state) {
        const order = firstOrder(state);
        loose(state.orders.flags)[order]! |= FLAG_REDUCE_ONLY;
        loose(state.positions.signedLots)[state.orders.position[order]!] =
          (state.orders.flags[order]! & FLAG_SELL) !== 0 ? -5 : 5;
      },
    },
  ],
  orderArithmetic: [
    { fault: "a lot lost at rest", plant: (state) => void loose(state.orders.remaining)[firstOrder(state)]!-- },
    { fault: "a lot filled twice", plant: (state) => void loose(state.orders.filled)[firstOrder(state)]!++ },
    {
      fault: "a fill without an event",
      at: filled,
      plant: (_state, step) =>
        eventStep(
          step,
          step.events.filter(({ kind }) => kind !== "fill"),
        ),
    },
    {
      fault: "a cancellation of less than was left",
      at: () =>
        findMoment(({ step }) =>
          step.events.some((event) => event.kind === "orderCancelled" && wasOpen(step, event.order)),
        ),
      plant: (_state, step) => eventStep(step, change(step, "orderCancelled", "remaining", -1)),
    },
  ],
  killedForAReason: [
    {
      fault: "an order that filled, reported as killed",
      at: () => findMoment(({ state, step }) => findKilled(state, asKilled(step)) !== undefined),
      plant: (_state, step) => asKilled(step),
    },
  ],
  intentTriggers: [
    {
      fault: "an intent that did not fire",
      at: triggered,
      plant: (_state, step) =>
        eventStep(
          step,
          step.events.filter(({ kind }) => kind !== "intentTriggered"),
        ),
    },
    {
      fault: "an intent that reports another price",
      at: triggered,
      plant: (_state, step) => eventStep(step, change(step, "intentTriggered", "value", 1)),
    },
    {
      fault: "an intent that fired too early",
      at: triggered,
      plant(_state, step) {
        const fired = step.events.find(({ kind }) => kind === "intentTriggered") as { intent: number };
        const before = forkState(step.before);
        const row = before.intentIndex.find(fired.intent);
        const sells = before.intents.side[row] === 1;
        const falls = before.intents.kind[row] === 1 ? !sells : sells;
        loose(before.intents.trigger)[row] = falls ? 0 : 9e15;
        return { ...step, before };
      },
    },
    {
      fault: "an intent that fired before it was placed",
      plant: (_state, step) =>
        eventStep(step, [{ kind: "intentTriggered", intent: 7, account: 1, market: 0, value: 1, size: 1 }]),
    },
    {
      fault: "a wrong count of intents",
      plant: ({ accounts }) => void loose(accounts.intentCount)[1]!++,
    },
    {
      fault: "an end of an order that was not processed",
      plant: ({ intentIndex }) => void intentIndex.ended.push(7, 1),
    },
  ],
  fillArithmetic: (["value", "makerFee", "takerFee", "size"] as const).map((field) => ({
    fault: `a fill with another ${field}`,
    at: filled,
    plant: (_state: State, step: Step) => eventStep(step, change(step, "fill", field, 1)),
  })),
};
