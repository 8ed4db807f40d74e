import type { Payloads } from "../../../protocol/actions/index.ts";
import { CANCEL_CAUSE, type VenueEvent } from "../../../protocol/events.ts";
import { SELF_TRADE } from "../../../protocol/words.ts";
import type { OrderRow } from "../../../venue/engine/state/schema.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { defineInvariant, eventsOf, type Step } from "../machinery/defineInvariant.ts";

/** History of a resting order, in lots. */
interface Life {
  original: number;
  filled: number;
  cancelled: number;
}

type Lives = Map<number, Life>;

export const orderArithmetic = defineInvariant<Lives>({
  id: "orderArithmetic",
  sentence: "The filled, remaining and cancelled lots of every order add up to its size.",
  rules: ["ORD-8"],
  catalogue: ["B05"],
  when: "block",
  start({ orders }, lives = new Map()) {
    lives.clear();
    for (let row = 0 as OrderRow; row < orders.rows.high; row++) {
      if (!orders.rows.isLive(row)) continue;
      const filled: number = orders.filled[row];
      lives.set(orders.id[row], { original: filled + orders.remaining[row], filled, cancelled: 0 });
    }
    return lives;
  },
  sweep(state, step, lives) {
    step.met += lives.size;
    // Lots that makers lost to self-trade prevention.
    let met = NONE_MET;
    for (const event of step.events) {
      if (
        (event.kind === "orderResized" || event.kind === "orderCancelled") &&
        event.cause === CANCEL_CAUSE.selfTrade
      ) {
        const life = lives.get(event.order);
        const left = event.kind === "orderResized" ? event.remaining : 0;
        if (life !== undefined) met = new Map(met).set(event, remainingOf(life) - left);
      }
      const fault = follow(lives, event);
      if (fault !== undefined) return fault;
    }
    return checkResting(state, lives) ?? checkEntered(state, step, met);
  },
});

const NONE_MET: ReadonlyMap<VenueEvent, number> = new Map();

/** Applies an event to the histories of resting orders; an order that ends is checked and forgotten. */
function follow(lives: Lives, event: VenueEvent): string | undefined {
  switch (event.kind) {
    case "orderOpened":
      lives.set(event.order, { original: event.filled + event.remaining, filled: event.filled, cancelled: 0 });
      return undefined;
    case "orderAmended":
    case "orderResized": {
      const life = lives.get(event.order);
      if (life === undefined) return `order ${event.order} changes and does not rest`;
      if (event.kind === "orderAmended" && event.rests === 0) {
        // It enters as a new order: `checkAmended` compares its size with its fills, rest and cancellation.
        lives.delete(event.order);
        return undefined;
      }
      const gone = remainingOf(life) - event.remaining;
      // Only the house's quotes grow in place: a growth counts as original size, not as negative cancellation.
      if (gone >= 0) life.cancelled += gone;
      else life.original -= gone;
      return gone < 0 && event.kind === "orderResized" ? `order ${event.order} was resized upwards` : undefined;
    }
    case "orderCancelled": {
      const life = lives.get(event.order);
      if (life === undefined) return undefined; // it never rested; see checkEntered
      life.cancelled += event.remaining;
      return end(lives, event.order, life);
    }
    case "fill": {
      const life = lives.get(event.makerOrder);
      if (life === undefined) return `order ${event.makerOrder} is a maker and does not rest`;
      life.filled += event.size;
      if (remainingOf(life) !== event.makerRemaining) {
        return `order ${event.makerOrder} has ${event.makerRemaining} left, ${remainingOf(life)} by its arithmetic`;
      }
      return event.makerRemaining === 0 ? end(lives, event.makerOrder, life) : undefined;
    }
    default:
      return undefined;
  }
}

function remainingOf(life: Life): number {
  return life.original - life.filled - life.cancelled;
}

function end(lives: Lives, order: number, life: Life): string | undefined {
  lives.delete(order);
  if (remainingOf(life) === 0) return undefined;
  return `order ${order} of ${life.original} ended with ${life.filled} filled and ${life.cancelled} cancelled`;
}

function checkResting(state: State, lives: Lives): string | undefined {
  const { orders } = state;
  for (let at = 0; at < orders.rows.high; at++) {
    if (!orders.rows.isLive(at)) continue;
    const row = at as OrderRow;
    const id = orders.id[row]!;
    const life = lives.get(id);
    if (life === undefined) return `order ${id} rests and was never opened`;
    if (orders.remaining[row] !== remainingOf(life) || orders.filled[row] !== life.filled) {
      const { original, filled, cancelled } = life;
      return `order ${id}: ${orders.remaining[row]} left of ${original}, ${filled} filled, ${cancelled} cancelled`;
    }
  }
  const { count } = orders.rows;
  return count === lives.size ? undefined : `${lives.size} orders should rest, ${count} do`;
}

/** Orders that entered in this block: their size is filled, rests, is cancelled, or met its own side. */
function checkEntered(state: State, step: Step, met: ReadonlyMap<VenueEvent, number>): string | undefined {
  const { receipts } = step.result;
  const { transactions } = step.block;
  for (let index = 0; index < transactions.length; index++) {
    const transaction = transactions[index]!;
    if (receipts.codes[index] !== 0) continue;
    if (transaction.action === "amendOrder") {
      const fault = checkAmended(eventsOf(step, index), met);
      if (fault !== undefined) return fault;
    }
    const orders =
      transaction.action === "placeOrder"
        ? [transaction.payload as Payloads["placeOrder"]]
        : transaction.action === "placeOrders"
          ? (transaction.payload as Payloads["placeOrders"]).orders
          : [];
    if (orders.length === 0) continue;
    const { results } = receipts.at(index);
    for (const [leg, payload] of orders.entries()) {
      const result = results?.[leg];
      if (result?.orderId === undefined) return `transaction ${index} entered order ${leg} and does not name it`;
      if (result.status === "rejected") continue;
      const fault = checkEnteredOrder(state, eventsOf(step, index), met, payload, result.orderId, orders.length === 1);
      if (fault !== undefined) return fault;
    }
  }
  return undefined;
}

/** An amended order that enters as a new order: its new size fills, rests, is cancelled, or meets its own side. */
function checkAmended(events: readonly VenueEvent[], met: ReadonlyMap<VenueEvent, number>): string | undefined {
  const amended = events.find((event) => event.kind === "orderAmended");
  if (amended?.kind !== "orderAmended") return "an amendment is applied without orderAmended";
  if (amended.rests === 1) return undefined;
  const { order, remaining } = amended;
  let filled = 0;
  let rest = 0;
  let own = 0;
  for (const event of events) {
    if (event.kind === "fill" && event.takerOrder === order) filled += event.size;
    else if (event.kind === "orderOpened" && event.order === order) rest = event.remaining;
    else if (event.kind === "orderCancelled" && event.order === order && rest === 0) rest = event.remaining;
    else own += met.get(event) ?? 0;
  }
  const sum = filled + rest;
  if (sum === remaining || sum + own === remaining) return undefined;
  return `order ${order} is amended to ${remaining} lots; ${filled} fill and ${rest} rest or are cancelled`;
}

/** @param alone no other order entered in the transaction, so self-trades of the taker belong to this order */
function checkEnteredOrder(
  state: State,
  events: readonly VenueEvent[],
  met: ReadonlyMap<VenueEvent, number>,
  payload: Payloads["placeOrder"],
  order: number,
  alone: boolean,
): string | undefined {
  const wanted = payload.size / state.parameters[state.marketRows.get(payload.market)!]!.lotSize;
  let filled = 0;
  let rest = 0;
  let own = 0;
  for (const event of events) {
    if (event.kind === "fill" && event.takerOrder === order) filled += event.size;
    else if (event.kind === "orderOpened" && event.order === order) rest = event.remaining;
    else if (event.kind === "orderCancelled" && event.order === order && rest === 0) rest = event.remaining;
    else if (payload.selfTrade === SELF_TRADE.decrement) own += met.get(event) ?? 0;
  }
  const sum = filled + rest + own;
  if (alone || payload.selfTrade !== SELF_TRADE.decrement ? sum === wanted : filled + rest <= wanted) return undefined;
  return `order ${order} of ${wanted}: ${filled} filled, ${rest} left, ${own} met its own side`;
}
