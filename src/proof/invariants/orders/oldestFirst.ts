import { NONE } from "../../../ground/collections/table.ts";
import { EVENT_CODES } from "../../../protocol/events.ts";
import { ROLE, SIDE } from "../../../protocol/words.ts";
import { FLAG_SELL, type OrderRow } from "../../../venue/engine/state/schema.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { listMarkets } from "../../../venue/engine/state/walk.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";
import { AT } from "../machinery/ledger/fieldsOf.ts";
import type { Moment } from "../machinery/moment.ts";
import { readHouseFlow } from "./houseFlowSteps.ts";

/** Places of orders in time, by id: a number that grows. */
interface Arrivals {
  next: number;
  readonly places: Map<number, number>;
}

/** Cost: once per fill and resting order. */
export const oldestFirst = defineInvariant<Arrivals>({
  id: "oldestFirst",
  sentence:
    "At a price the oldest order trades first. An amended order keeps its place only if it just gets smaller, and a level grows only at the back.",
  rules: ["ORD-1", "ORD-4", "ACC-2"],
  catalogue: ["B03"],
  when: "events",
  kinds: ["orderOpened", "orderAmended", "fill"],
  start: readArrivals,
  event(moment, at, arrivals) {
    const { data, ledger } = moment;
    const { orders } = ledger.now;
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
      if (!(grew || moved)) return undefined;
      if (moved || !isQuote(moment, row)) return `order ${id} kept its place although it did not just get smaller`;
      // The quotes of a ladder grow in place. A level grows at the back of its queue (ACC-2).
      if (isInLadder(moment, (orders.flags[row] & FLAG_SELL) === 0 ? SIDE.buy : SIDE.sell)) return undefined;
      const last = findOther(moment, arrivals, row, (place, own) => place > own);
      return last === NONE ? undefined : `order ${id} grew before order ${orders.id[last]}, which is younger`;
    }
    moment.met++;
    const row = ledger.findOrder(data[at + AT.fill.makerOrder]!);
    if (row === NONE) return undefined;
    const other = findOther(moment, arrivals, row, (place, own) => place < own);
    if (other === NONE) return undefined;
    return `order ${orders.id[row]} traded before order ${orders.id[other]}, which is older`;
  },
});

/** Another order of the queue whose place fits to that of an order, NONE for none. */
function findOther(
  { ledger }: Moment,
  { places }: Arrivals,
  row: OrderRow,
  fits: (place: number, own: number) => boolean,
): OrderRow {
  const { orders, positions } = ledger.now;
  const price = orders.price[row];
  const market = positions.market[orders.position[row]];
  const side = orders.flags[row] & FLAG_SELL;
  const own = places.get(orders.id[row]) ?? 0;
  const { high } = orders.rows;
  for (let at = 0 as OrderRow; at < high; at++) {
    if (orders.price[at] !== price || orders.remaining[at] === 0 || at === row) continue;
    if ((orders.flags[at] & FLAG_SELL) !== side || positions.market[orders.position[at]] !== market) continue;
    if (fits(places.get(orders.id[at]) ?? 0, own)) return at;
  }
  return NONE as OrderRow;
}

/** Whether an order is of a house account whose flow the moment is. */
function isQuote({ ledger, transaction }: Moment, row: OrderRow): boolean {
  const { accounts, orders, positions } = ledger.now;
  return (
    row !== NONE &&
    transaction?.action === "houseFlow" &&
    accounts.role[positions.account[orders.position[row]]] === ROLE.house
  );
}

/** Whether the flow of the moment has a ladder of a side. */
function isInLadder(moment: Moment, side: number): boolean {
  return readHouseFlow(moment)?.some((step) => step.kind === "quote" && step.side === side) === true;
}

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
