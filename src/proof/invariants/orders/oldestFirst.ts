import { NONE } from "../../../ground/collections/table.ts";
import { EVENT_CODES } from "../../../protocol/events.ts";
import { FLAG_SELL, type OrderRow } from "../../../venue/engine/state/schema.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { listMarkets } from "../../../venue/engine/state/walk.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";
import { AT } from "../machinery/ledger/fieldsOf.ts";

/** Places of orders in time, by id: a number that grows. */
interface Arrivals {
  next: number;
  readonly places: Map<number, number>;
}

/** Cost: once per fill and resting order. */
export const oldestFirst = defineInvariant<Arrivals>({
  id: "oldestFirst",
  sentence: "At a price the oldest order trades first. An amended order keeps its place only if it just gets smaller.",
  rules: ["ORD-1", "ORD-4"],
  catalogue: ["B03"],
  when: "events",
  kinds: ["orderOpened", "orderAmended", "fill"],
  start: readArrivals,
  event(moment, at, arrivals) {
    const { data, ledger } = moment;
    const { orders, positions } = ledger.now;
    if (data[at] === EVENT_CODES.orderOpened) {
      arrivals.places.set(data[at + AT.orderOpened.order]!, arrivals.next++);
      return undefined;
    }
    if (data[at] === EVENT_CODES.orderAmended) {
      const id = data[at + AT.orderAmended.order]!;
      if (data[at + AT.orderAmended.requeued] === 1) {
        arrivals.places.set(id, arrivals.next++);
        return undefined;
      }
      const row = ledger.findOrder(id);
      const grew = row !== NONE && data[at + AT.orderAmended.remaining]! > orders.remaining[row];
      const moved = row !== NONE && data[at + AT.orderAmended.price] !== orders.price[row];
      // The house's quotes grow in place.
      const house = row !== NONE && ledger.now.accounts.role[positions.account[orders.position[row]]] === 1;
      return (grew || moved) && !house ? `order ${id} kept its place although it did not just get smaller` : undefined;
    }
    moment.met++;
    const id = data[at + AT.fill.makerOrder]!;
    const price = data[at + AT.fill.price]!;
    const market = data[at + AT.fill.market]!;
    const side = data[at + AT.fill.takerSide] === 0 ? FLAG_SELL : 0;
    let own = -1;
    const { price: prices } = orders;
    const { high } = orders.rows;
    for (let row = 0 as OrderRow; row < high; row++) {
      if (prices[row] !== price || orders.remaining[row] === 0 || orders.id[row] === id) continue;
      if ((orders.flags[row] & FLAG_SELL) !== side || positions.market[orders.position[row]] !== market) continue;
      if (own < 0) own = arrivals.places.get(id) ?? 0;
      if ((arrivals.places.get(orders.id[row]) ?? 0) < own)
        return `order ${id} traded before order ${orders.id[row]}, which is older`;
    }
    return undefined;
  },
});

/** Places in the order of the book's queues. */
function readArrivals(state: State): Arrivals {
  const arrivals: Arrivals = { next: 1, places: new Map() };
  const { orders } = state;
  for (const market of listMarkets(state)) {
    const book = state.books[market]!;
    for (const side of [0, 1]) {
      for (let price = side === 0 ? book.bestBid : book.bestAsk; price !== 0; ) {
        for (let row = book.head(price); row !== NONE; row = orders.levelNext[row]) {
          arrivals.places.set(orders.id[row], arrivals.next++);
        }
        price = side === 0 ? book.below(price) : book.above(price);
      }
    }
  }
  return arrivals;
}
