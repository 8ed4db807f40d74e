import { NONE } from "../../../ground/collections/table.ts";
import { AccountKey, addressOfWords } from "../../../protocol/accountKey.ts";
import { INTENT_STATE } from "../../../protocol/words.ts";
import { getClientOrderId, getGrant, getLastHeight, getLastTime } from "../../../venue/engine/book/extras.ts";
import { searchAccount } from "../../../venue/engine/state/accounts.ts";
import {
  type AccountRow,
  FLAG_AGENT,
  FLAG_EXPIRES,
  FLAG_SELL,
  type IntentRow,
  type OrderRow,
  type OwnerRow,
} from "../../../venue/engine/state/schema.ts";
import { getPosition, type State } from "../../../venue/engine/state/state.ts";
import {
  listAccounts,
  listMarkets,
  listOrders,
  listPositions,
  nameOf,
  positionsOf,
} from "../../../venue/engine/state/walk.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";

export const indexes = defineInvariant({
  id: "indexes",
  sentence:
    "Each order is once in the index, in its price level, in its position's list and under its own name. Orders of intents are watched.",
  rules: ["ORD-1", "ORD-4", "DET-1"],
  catalogue: ["B02"],
  when: "block",
  news: 1,
  lasting: true,
  /** Cached keys of accounts by row: they never change. */
  start: (): AccountKey[] => [],
  sweep(state, step, keys) {
    step.met += state.orders.rows.count + state.positions.rows.count;
    return findMisplaced(state, keys);
  },
});

/** The first object that an index or list of the venue lacks, or has twice. */
export function findMisplaced(state: State, keys: AccountKey[] = []): string | undefined {
  const rows = listOrders(state);
  return (
    checkOrders(state, rows) ??
    checkExtras(state, rows) ??
    checkLevels(state) ??
    checkPositions(state) ??
    checkAccounts(state, keys) ??
    checkWatched(state)
  );
}

function checkOrders(state: State, rows: readonly OrderRow[]): string | undefined {
  const { orders, positions, orderIndex, clients } = state;
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
  if (clients.orders.size !== named) return `${named} orders have names, ${clients.orders.size} names are kept`;
  const { texts, free } = clients;
  if (new Set(free).size !== free.length || free.some((place) => texts[place] !== ""))
    return "a place for a name is free twice, or holds one";
  return texts.length === free.length + named
    ? undefined
    : `${texts.length} places for names, ${free.length} free, ${named} orders have names`;
}

/** Rare fields of orders are in a row of their own, which is never empty; the order's flags name the fields. */
function checkExtras(state: State, rows: readonly OrderRow[]): string | undefined {
  const { orders, extras } = state;
  const seen = new Marks(extras.rows.high);
  for (const row of rows) {
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
  const seen = new Marks(orders.rows.high);
  for (const market of listMarkets(state)) {
    const book = state.books[market]!;
    for (const side of [0, 1]) {
      let price = side === 0 ? book.bestBid : book.bestAsk;
      while (price !== 0) {
        let older = NONE as OrderRow;
        for (let at = book.head(price); at !== NONE; at = orders.levelNext[at]!) {
          if (seen.has(at)) return `order ${orders.id[at]} is in its book twice`;
          seen.add(at);
          const sells = (orders.flags[at]! & FLAG_SELL) !== 0;
          const own = positions.market[orders.position[at]!] === market;
          if (!own || orders.price[at] !== price || sells !== (side === 1) || orders.levelPrevious[at] !== older) {
            return `order ${orders.id[at]} is in the wrong place at ${price}`;
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
    if (positions.signedLots[at] === 0 && positions.orderCount[at] === 0 && !chosen) {
      return `${nameOf(state, at)} holds nothing and is kept`;
    }
    if (positions.signedLots[at] === 0 && positions.cost[at] !== 0)
      return `${nameOf(state, at)}: flat at cost ${positions.cost[at]}`;
    let newer = NONE as OrderRow;
    // A broken ring shows at its end: the last row has another neighbour.
    for (let order = positions.orders[at]!; order !== NONE; order = orders.older[order]!) {
      if (orders.newer[order] !== newer || orders.position[order] !== at)
        return `${nameOf(state, at)}: its list is broken`;
      newer = order;
      linked++;
    }
  }
  return linked === orders.rows.count ? undefined : `${orders.rows.count} orders, ${linked} in lists of positions`;
}

/** The orders that an intent watches: resting entries, and fired orders that rest. */
function checkWatched({ intents, intentIndex, orders, orderIndex }: State): string | undefined {
  const concerned = new Set<number>();
  for (let row = 0 as IntentRow; row < intents.rows.high; row++) {
    if (!intents.rows.isLive(row)) continue;
    const entry = intents.entry[row]!;
    if (entry !== 0 && orderIndex.find(orders, entry) !== NONE) concerned.add(entry);
    if (intents.state[row] === INTENT_STATE.triggered) concerned.add(intents.id[row]!);
  }
  for (const order of concerned)
    if (!intentIndex.watched.has(order)) return `order ${order} is not watched for its intent`;
  if (concerned.size === intentIndex.watched.size) return undefined;
  return `${concerned.size} orders concern an intent, ${intentIndex.watched.size} are watched`;
}

function checkAccounts(state: State, keys: AccountKey[]): string | undefined {
  const { accounts, owners, positions } = state;
  const seen = new Marks(positions.rows.high);
  for (const account of listAccounts(state)) {
    const owner = accounts.owner[account]!;
    const known = keys[account];
    const isKnown = known?.subaccount === accounts.subaccount[account]! >>> 0 && isKeyOf(owners, owner, known);
    const key = isKnown ? known : readKey(state, account);
    keys[account] = key;
    if (searchAccount(state, key) !== account) {
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

function isKeyOf({ w0, w1, w2, w3, w4 }: State["owners"], owner: OwnerRow, key: AccountKey): boolean {
  return (
    w4[owner] === key.w4 && w3[owner] === key.w3 && w2[owner] === key.w2 && w1[owner] === key.w1 && w0[owner] === key.w0
  );
}

export function readKey({ accounts, owners }: State, account: AccountRow): AccountKey {
  const owner = accounts.owner[account]!;
  const { w0, w1, w2, w3, w4 } = owners;
  const address = addressOfWords(w0[owner]!, w1[owner]!, w2[owner]!, w3[owner]!, w4[owner]!);
  return new AccountKey(address, accounts.subaccount[account]! >>> 0);
}

/** A set of rows of one table. */
class Marks {
  readonly #marked: Uint8Array;
  size = 0;

  constructor(rows: number) {
    this.#marked = new Uint8Array(rows);
  }

  has(row: number): boolean {
    return this.#marked[row] === 1;
  }

  /** @param row not yet in it */
  add(row: number): void {
    this.#marked[row] = 1;
    this.size++;
  }
}
