import { NONE } from "../collections/table.ts";
import { getClientOrderId, getGrant, getLastHeight, getLastTime } from "../engine/book/extras.ts";
import { findAccount } from "../engine/state/accounts.ts";
import { FLAG_AGENT, FLAG_EXPIRES, FLAG_SELL, type OrderRow, type PositionRow } from "../engine/state/schema.ts";
import { getPosition, type State } from "../engine/state/state.ts";
import { AccountKey, addressOfWords } from "../protocol/accountKey.ts";
import { defineInvariant } from "./defineInvariant.ts";
import { listAccounts, listMarkets, listOrders, listPositions, nameOf, ordersOf, positionsOf } from "./exact/walk.ts";

export const indexes = defineInvariant({
  id: "indexes",
  sentence: "Orders stand once in the index, in their level, in the list of their position and under their own name.",
  rules: ["ORD-1", "ORD-4", "DET-1"],
  catalogue: ["B02"],
  when: "block",
  sweep(state, step) {
    step.met += state.orders.rows.count + state.positions.rows.count;
    return (
      checkOrders(state) ?? checkExtras(state) ?? checkLevels(state) ?? checkPositions(state) ?? checkAccounts(state)
    );
  },
});

function checkOrders(state: State): string | undefined {
  const { orders, positions, orderIndex, clients } = state;
  const rows = listOrders(state);
  if (rows.length !== orders.rows.count || rows.length !== orderIndex.count) {
    return `${rows.length} orders, ${orders.rows.count} counted, ${orderIndex.count} in the index`;
  }
  let named = 0;
  for (const row of rows) {
    const id = orders.id[row]!;
    if (orderIndex.find(orders, id) !== row) return `order ${id} is not found by its id`;
    if (!positions.rows.isLive(orders.position[row]!)) return `order ${id} belongs to no position`;
    const name = getClientOrderId(state, row);
    if (name === "") continue;
    named++;
    const account = positions.account[orders.position[row]!]!;
    if (clients.find(account, name) !== row) return `order ${id} is not found by its name`;
  }
  return clients.orders.size === named
    ? undefined
    : `${named} orders have names, ${clients.orders.size} names are kept`;
}

/** What few orders have stands in a row of its own, with something in it, and flags say what. */
function checkExtras(state: State): string | undefined {
  const { orders, extras } = state;
  const seen = new Set<number>();
  for (const row of listOrders(state)) {
    const id = orders.id[row]!;
    const extra = orders.extra[row]!;
    if (extra !== NONE && (seen.has(extra) || !extras.rows.isLive(extra))) return `order ${id} has not its own extras`;
    if (extra !== NONE) seen.add(extra);
    const expires = getLastHeight(state, row) !== 0 || getLastTime(state, row) !== 0;
    const agent = getGrant(state, row) !== NONE;
    const flags = orders.flags[row]!;
    if (expires !== ((flags & FLAG_EXPIRES) !== 0)) return `order ${id} has flags ${flags} and an expiry or none`;
    if (agent !== ((flags & FLAG_AGENT) !== 0)) return `order ${id} has flags ${flags} and a grant or none`;
    if (extra !== NONE && !expires && !agent && getClientOrderId(state, row) === "")
      return `order ${id} has extras with nothing in them`;
  }
  return seen.size === extras.rows.count ? undefined : `${seen.size} orders have extras, ${extras.rows.count} are kept`;
}

/** Levels hold every order once, at its price and on its side, linked both ways. */
function checkLevels(state: State): string | undefined {
  const { orders, positions } = state;
  const seen = new Set<OrderRow>();
  for (const market of listMarkets(state)) {
    const book = state.books[market]!;
    for (const side of [0, 1]) {
      let price = side === 0 ? book.bestBid : book.bestAsk;
      while (price !== 0) {
        let older = NONE as OrderRow;
        for (let at = book.head(price); at !== NONE; at = orders.levelNext[at]!) {
          if (seen.has(at)) return `order ${orders.id[at]} stands twice`;
          seen.add(at);
          const sells = (orders.flags[at]! & FLAG_SELL) !== 0;
          const own = positions.market[orders.position[at]!] === market;
          if (!own || orders.price[at] !== price || sells !== (side === 1) || orders.levelPrevious[at] !== older) {
            return `order ${orders.id[at]} stands in the wrong place at ${price}`;
          }
          if (orders.remaining[at]! <= 0) return `order ${orders.id[at]} rests with ${orders.remaining[at]} lots`;
          older = at;
        }
        if (older === NONE) return `${state.marketNames[market]}: the level at ${price} is empty`;
        price = side === 0 ? book.below(price) : book.above(price);
      }
    }
  }
  return seen.size === orders.rows.count ? undefined : `${orders.rows.count} orders, ${seen.size} on the books`;
}

function checkPositions(state: State): string | undefined {
  const { orders, positions } = state;
  const rows = listPositions(state);
  if (rows.length !== positions.rows.count || rows.length !== state.positionIndex.count) {
    return `${rows.length} positions, ${positions.rows.count} counted, ${state.positionIndex.count} in the index`;
  }
  let linked = 0;
  for (const at of rows) {
    if (getPosition(state, positions.account[at]!, positions.market[at]!) !== at)
      return `${nameOf(state, at)} is not found`;
    const chosen = positions.leverage[at] !== 0 || positions.mode[at] !== 0;
    if (positions.size[at] === 0 && positions.orderCount[at] === 0 && !chosen) {
      return `${nameOf(state, at)} holds nothing and is kept`;
    }
    if (positions.size[at] === 0 && positions.cost[at] !== 0)
      return `${nameOf(state, at)}: flat at cost ${positions.cost[at]}`;
    let newer = NONE as OrderRow;
    for (const order of ordersOf(state, at)) {
      if (orders.newer[order] !== newer || orders.position[order] !== at)
        return `${nameOf(state, at)}: its list is broken`;
      newer = order;
      linked++;
    }
  }
  return linked === orders.rows.count ? undefined : `${orders.rows.count} orders, ${linked} in lists of positions`;
}

function checkAccounts(state: State): string | undefined {
  const { accounts, owners, positions } = state;
  const seen = new Set<PositionRow>();
  for (const account of listAccounts(state)) {
    const owner = accounts.owner[account]!;
    const words = [owners.w0, owners.w1, owners.w2, owners.w3, owners.w4].map((column) => column[owner]!);
    const address = addressOfWords(...(words as [number, number, number, number, number]));
    if (findAccount(state, new AccountKey(address, accounts.subaccount[account]! >>> 0)) !== account) {
      return `account ${account} is not found by its address`;
    }
    let last = -1;
    for (const at of positionsOf(state, account)) {
      if (seen.has(at) || positions.account[at] !== account || positions.market[at]! <= last) {
        return `account ${account}: its positions are not listed once each, by market`;
      }
      seen.add(at);
      last = positions.market[at]!;
    }
  }
  return seen.size === positions.rows.count ? undefined : `${positions.rows.count} positions, ${seen.size} listed`;
}
