import { NONE, type Rows } from "../../../ground/collections/table.ts";
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
  type MarketRow,
  type OrderRow,
  type OwnerRow,
  type PositionRow,
} from "../../../venue/engine/state/schema.ts";
import { getPosition, type State } from "../../../venue/engine/state/state.ts";
import { nameOf } from "../../../venue/engine/state/walk.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";
import { RowSet } from "../machinery/ledger/rowSet.ts";

export const indexes = defineInvariant({
  id: "indexes",
  sentence:
    "Each order is once in the index, in its price level, in its position's list and under its own name. Orders of intents are watched.",
  rules: ["ORD-1", "ORD-4", "DET-1"],
  catalogue: ["B02"],
  when: "block",
  news: 1,
  lasting: true,
  start: () => new Scratch(),
  sweep(state, step, scratch) {
    step.met += state.orders.rows.count + state.positions.rows.count;
    return findMisplaced(state, scratch);
  },
});

/** Memory that every check uses again. */
class Scratch {
  /** Keys of accounts by row: they never change. */
  readonly keys: AccountKey[] = [];
  /** Rows that a walk met. */
  readonly seen = new RowSet();
}

/** The first object that an index or list of the venue lacks, or has twice. */
export function findMisplaced(state: State, scratch: Scratch = new Scratch()): string | undefined {
  return (
    checkOrders(state) ??
    checkExtras(state, scratch) ??
    checkLevels(state, scratch) ??
    checkPositions(state) ??
    checkAccounts(state, scratch) ??
    checkWatched(state)
  );
}

function checkOrders(state: State): string | undefined {
  const { orders, positions, orderIndex, clients } = state;
  const live = countLive(orders.rows);
  if (live !== orders.rows.count || live !== orderIndex.count) {
    return `${live} orders, ${orders.rows.count} counted, ${orderIndex.count} in the index`;
  }
  let named = 0;
  for (let row = 0 as OrderRow; row < orders.rows.high; row++) {
    if (!orders.rows.isLive(row)) continue;
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
  if ((free.length > 0 && new Set(free).size !== free.length) || free.some((place) => texts[place] !== ""))
    return "a place for a name is free twice, or holds one";
  return texts.length === free.length + named
    ? undefined
    : `${texts.length} places for names, ${free.length} free, ${named} orders have names`;
}

/** Rare fields of orders are in a row of their own, which is never empty; the order's flags name the fields. */
function checkExtras(state: State, { seen }: Scratch): string | undefined {
  const { orders, extras } = state;
  seen.clear();
  for (let row = 0 as OrderRow; row < orders.rows.high; row++) {
    if (!orders.rows.isLive(row)) continue;
    const id = orders.id[row]!;
    const extra = orders.extra[row]!;
    if (extra !== NONE && (!seen.add(extra) || !extras.rows.isLive(extra))) return `order ${id} has not its own extras`;
    const expires = getLastHeight(state, row) !== 0 || getLastTime(state, row) !== 0;
    const agent = getGrant(state, row) !== NONE;
    const flags = orders.flags[row]!;
    if (expires !== ((flags & FLAG_EXPIRES) !== 0)) return `order ${id} has flags ${flags} and an expiry or none`;
    if (agent !== ((flags & FLAG_AGENT) !== 0)) return `order ${id} has flags ${flags} and a grant or none`;
    if (extra !== NONE && !expires && !agent && getClientOrderId(state, row) === "")
      return `order ${id} has extras with nothing in them`;
  }
  return seen.count === extras.rows.count
    ? undefined
    : `${seen.count} orders have extras, ${extras.rows.count} are kept`;
}

/** Levels hold every order once, at its price and on its side, linked both ways. */
function checkLevels(state: State, { seen }: Scratch): string | undefined {
  const { orders, positions, markets } = state;
  seen.clear();
  for (let market = 0 as MarketRow; market < markets.rows.high; market++) {
    if (!markets.rows.isLive(market)) continue;
    const book = state.books[market]!;
    for (let side = 0; side < 2; side++) {
      let price = side === 0 ? book.bestBid : book.bestAsk;
      while (price !== 0) {
        let older = NONE as OrderRow;
        for (let at = book.head(price); at !== NONE; at = orders.levelNext[at]!) {
          if (!seen.add(at)) return `order ${orders.id[at]} is in its book twice`;
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
  return seen.count === orders.rows.count ? undefined : `${orders.rows.count} orders, ${seen.count} on the books`;
}

function checkPositions(state: State): string | undefined {
  const { orders, positions } = state;
  const live = countLive(positions.rows);
  if (live !== positions.rows.count || live !== state.positionIndex.count) {
    return `${live} positions, ${positions.rows.count} counted, ${state.positionIndex.count} in the index`;
  }
  let linked = 0;
  for (let at = 0 as PositionRow; at < positions.rows.high; at++) {
    if (!positions.rows.isLive(at)) continue;
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
  if (intents.rows.count === 0 && intentIndex.watched.size === 0) return undefined;
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

function checkAccounts(state: State, { keys, seen }: Scratch): string | undefined {
  const { accounts, owners, positions } = state;
  seen.clear();
  for (let account = 0 as AccountRow; account < accounts.rows.high; account++) {
    if (!accounts.rows.isLive(account)) continue;
    const owner = accounts.owner[account]!;
    const known = keys[account];
    const isKnown = known?.subaccount === accounts.subaccount[account]! >>> 0 && isKeyOf(owners, owner, known);
    const key = isKnown ? known : readKey(state, account);
    keys[account] = key;
    if (searchAccount(state, key) !== account) {
      return `account ${account} is not found by its address`;
    }
    let last = -1;
    // A ring ends at the first row that is met again.
    for (let at = accounts.position[account]; at !== NONE; at = positions.next[at]) {
      if (!seen.add(at) || positions.account[at] !== account || positions.market[at] <= last) {
        return `account ${account}: its positions are not listed once each, by market`;
      }
      last = positions.market[at];
    }
  }
  return seen.count === positions.rows.count ? undefined : `${positions.rows.count} positions, ${seen.count} listed`;
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

function countLive<Row extends number>(rows: Rows<Row>): number {
  let live = 0;
  for (let row = 0; row < rows.high; row++) if (rows.isLive(row)) live++;
  return live;
}
