import { NONE } from "../../../ground/collections/table.ts";
import { getClientOrderId } from "../../../venue/engine/book/extras.ts";
import { findAccount } from "../../../venue/engine/state/accounts.ts";
import {
  type AccountRow,
  FLAG_REDUCE_ONLY,
  FLAG_SELL,
  type MarketRow,
  type OrderRow,
} from "../../../venue/engine/state/schema.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { MARKET_NAME } from "../compile/marketNames.ts";
import { type Cell, entriesOf, itemsOf, textOf } from "../parse/cell.ts";
import { either, flag, key, list, map, mapOf, type Shape, text } from "../shape/shape.ts";
import { compareValues, numberShape } from "./compare.ts";
import { defineExpectation, type Moment } from "./expectation.ts";
import { lotsText, ticksText, usd } from "./units.ts";

const DOCS: Readonly<Record<string, string>> = {
  side: "buy or sell.",
  remaining: "Resting size, in base units.",
  filled: "Filled size, in base units.",
  price: "Limit price.",
  reduceOnly: "true or false.",
  orderCost: "Order cost that it reserved at entry (MRG-3), in USD.",
  client: "Client order id.",
  market: "Name of the market.",
};

const orderShape: Shape = map(
  Object.fromEntries(Object.entries(DOCS).map(([name, doc]) => [name, key(either(numberShape, flag, text()), doc)])),
);
const line = text("an order such as buy 0.5 @ 60000", /^(buy|sell) [0-9.]+( [A-Z][\w.:-]*)? @ [0-9.]+( reduce-only)?$/);

export const orders = defineExpectation({
  shape: mapOf(
    "account names or $labels",
    /^[$a-z][\w/-]*$/,
    either(list(either(line, orderShape)), orderShape, text("none or open", /^(none|open)$/)),
    "Open orders of an account, all of them, oldest first; or one order by its label: values, `open`, or `none`.",
  ),
  doc: "Open orders: of an account all of them, oldest first, or `none`; of a label its values, `open`, or `none` where it is gone.",
  check(moment, cell) {
    for (const { key: name, value } of entriesOf(cell)) {
      if (name.startsWith("$")) checkOne(moment, name, value);
      else checkAccount(moment, name, value);
    }
  },
});

function checkOne(moment: Moment, label: string, cell: Cell): void {
  const { state } = moment;
  const row = state.orderIndex.find(state.orders, Number(moment.idOf(label, "order") ?? 0) as never);
  if (row === NONE) {
    if (textOf(cell) === "none") return;
    moment.fail({ place: cell.place, what: label, expected: "an open order", observed: "none" });
  } else if (cell.kind === "map") compareValues(moment, label, cell, observeOrder(state, row));
  else if (textOf(cell) === "none") {
    moment.fail({ place: cell.place, what: label, expected: "no open order", observed: lineOf(state, row) });
  }
}

function checkAccount(moment: Moment, name: string, cell: Cell): void {
  const { state, names } = moment;
  const account = findAccount(state, names.key(name));
  const found = account === NONE ? [] : listOrdersOf(state, account);
  const wanted = itemsOf(cell);
  const what = `orders of ${name}`;
  wanted.forEach((item, at) => {
    const row = found[at];
    if (row === undefined) {
      moment.fail({
        place: item.place,
        what: `${what} ${at + 1}`,
        expected: textOf(item) ?? "an order",
        observed: "none",
      });
    } else if (item.kind === "map") compareValues(moment, `${what} ${at + 1}`, item, observeOrder(state, row));
    else {
      const expected = textOf(item) ?? "";
      const isNamed = / [A-Z][\w.:-]* @/.test(expected);
      const observed = lineOf(state, row, isNamed);
      if (expected !== observed) moment.fail({ place: item.place, what: `${what} ${at + 1}`, expected, observed });
    }
  });
  for (const row of found.slice(wanted.length)) {
    moment.fail({
      place: cell.place,
      what,
      expected: wanted.length === 0 ? "none" : `${wanted.length}`,
      observed: `also ${lineOf(state, row)}`,
    });
  }
}

/** Open orders of an account, oldest first. */
export function listOrdersOf({ accounts, positions, orders: rows }: State, account: AccountRow): OrderRow[] {
  const found: OrderRow[] = [];
  for (let at = accounts.position[account]!; at !== NONE; at = positions.next[at]!) {
    for (let order = positions.orders[at]!; order !== NONE; order = rows.older[order]!) found.push(order);
  }
  return found.sort((a, b) => rows.id[a]! - rows.id[b]!);
}

function observeOrder(state: State, row: OrderRow): Readonly<Record<string, () => string>> {
  const { orders: rows, positions } = state;
  const market = positions.market[rows.position[row]!]!;
  const flags = rows.flags[row]!;
  return {
    side: () => ((flags & FLAG_SELL) === 0 ? "buy" : "sell"),
    remaining: () => lotsText(state, market, rows.remaining[row]!),
    filled: () => lotsText(state, market, rows.filled[row]!),
    price: () => ticksText(state, market, rows.price[row]!),
    reduceOnly: () => String((flags & FLAG_REDUCE_ONLY) !== 0),
    orderCost: () => usd(rows.orderCost[row]!),
    client: () => getClientOrderId(state, row),
    market: () => state.marketNames[market]!,
  };
}

/** An order in one line: `buy 0.5 @ 60000`. */
export function lineOf(state: State, row: OrderRow, isNamed = false): string {
  const order = observeOrder(state, row);
  const market = isNamed ? ` ${order["market"]!()}` : "";
  const reduce = order["reduceOnly"]!() === "true" ? " reduce-only" : "";
  return `${order["side"]!()} ${order["remaining"]!()}${market} @ ${order["price"]!()}${reduce}`;
}

const levels = list(text("a level such as 1.5 @ 60000", /^[0-9.]+ @ [0-9.]+$/));
const bookShape = map({ bids: key(levels, "From the best down."), asks: key(levels, "From the best up.") });

export const book = defineExpectation({
  shape: map(bookShape.keys, {
    pattern: MARKET_NAME,
    called: "market names",
    shape: bookShape,
    doc: "A market's book.",
  }),
  doc: "Levels of the book, all of a side that is named: size @ price.",
  check(moment, cell) {
    for (const { key: name, value } of entriesOf(cell)) {
      if (name === "bids" || name === "asks") checkSide(moment, moment.market, name, value);
      else for (const entry of entriesOf(value)) checkSide(moment, name, entry.key, entry.value);
    }
  },
});

function checkSide({ state, fail }: Moment, name: string | undefined, side: string, cell: Cell): void {
  const market = name === undefined ? undefined : state.marketRows.get(name);
  const what = `${name ?? ""} ${side}`;
  if (market === undefined) {
    fail({ place: cell.place, what, expected: "a market", observed: "none" });
    return;
  }
  const observed = readLevels(state, market, side).join(", ");
  const expected = itemsOf(cell).map(textOf).join(", ");
  if (expected !== observed)
    fail({ place: cell.place, what, expected: expected || "empty", observed: observed || "empty" });
}

/** Levels of one side of a book, from the best: `1.5 @ 60000`. */
export function readLevels(state: State, market: MarketRow, side: string): string[] {
  const ladder = state.books[market]!;
  const lines: string[] = [];
  let price = side === "bids" ? ladder.bestBid : ladder.bestAsk;
  while (price !== 0) {
    let lots = 0;
    for (let order = ladder.head(price); order !== NONE; order = state.orders.levelNext[order]!)
      lots += state.orders.remaining[order]!;
    lines.push(`${lotsText(state, market, lots)} @ ${ticksText(state, market, price)}`);
    price = side === "bids" ? ladder.below(price) : ladder.above(price);
  }
  return lines;
}
