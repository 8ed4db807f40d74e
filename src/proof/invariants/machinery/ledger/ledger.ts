import { NumberIndex } from "../../../../ground/collections/numberIndex.ts";
import { NONE, type Rows } from "../../../../ground/collections/table.ts";
import { getGrant, getLastHeight, getLastTime } from "../../../../venue/engine/book/extras.ts";
import type { AccountRow, MarketRow, OrderRow, PositionRow } from "../../../../venue/engine/state/schema.ts";
import type { State } from "../../../../venue/engine/state/state.ts";
import { Totals } from "../../../../venue/engine/state/totals.ts";
import {
  type BookName,
  Books,
  copyAccount,
  copyHolding,
  copyMarket,
  copyOrder,
  copyPosition,
  copyTerms,
  PositionRows,
} from "./books.ts";
import { ExactSum } from "./exactSum.ts";
import { RowSet } from "./rowSet.ts";

/** Change of each term of the conservation sum in a moment (POS-4). */
export class Deltas {
  readonly collateral: ExactSum = new ExactSum();
  readonly cost: ExactSum = new ExactSum();
  readonly insurance: ExactSum = new ExactSum();
  readonly fees: ExactSum = new ExactSum();
  readonly dust: ExactSum = new ExactSum();
  readonly pools: ExactSum = new ExactSum();
  readonly badDebt: ExactSum = new ExactSum();
  readonly inflows: ExactSum = new ExactSum();
  readonly withdrawals: ExactSum = new ExactSum();
  /** Terms that the conservation sum adds, and those that it subtracts. */
  readonly added: readonly ExactSum[] = [
    this.collateral,
    this.insurance,
    this.fees,
    this.dust,
    this.pools,
    this.withdrawals,
  ];
  readonly subtracted: readonly ExactSum[] = [this.cost, this.badDebt, this.inflows];

  clear(): void {
    for (const sum of this.added) sum.clear();
    for (const sum of this.subtracted) sum.clear();
  }
}

/**
 * A second set of books, kept from events alone: the venue's tables must equal it if every write has its event (EVT-3).
 * Its cost depends on the rows that a moment touches; a moment is a transaction or a step of a block. `now` is the
 * venue after the moment, `was` the venue before it.
 */
export class Ledger {
  readonly now: Books = new Books();
  readonly was: Books = new Books();
  readonly totals: Totals = new Totals();
  readonly authorityNonces: Float64Array = new Float64Array(3);
  consumed = 0;
  /** Rows that the moment touched, as rows of these books. */
  readonly accounts: RowSet = new RowSet();
  readonly positions: RowSet = new RowSet();
  readonly orders: RowSet = new RowSet();
  readonly markets: RowSet = new RowSet();
  readonly deltas: Deltas = new Deltas();
  /** Sum of sizes by market, lots: longs alone, and all positions. */
  readonly longs: ExactSum[] = [];
  readonly nets: ExactSum[] = [];
  /** The first contradiction among the moment's events. */
  fault: string | undefined = undefined;
  readonly positionRows: PositionRows = new PositionRows();
  readonly #orderRows = new NumberIndex(256);
  /** Orders that ended in this moment; the next moment frees their rows. */
  readonly #ended: number[] = [];
  /** What `startAgain` read last, and the tables in which a row was touched since. */
  #start: LedgerStart | undefined;
  readonly #touched: Record<BookName, boolean> = { accounts: false, positions: false, orders: false, markets: false };

  constructor(state: State) {
    this.#read(state);
  }

  /** Forgets everything and reads another venue: as a new ledger, in the memory of this one. */
  startAgain(state: State): void {
    for (const rows of [this.accounts, this.positions, this.orders, this.markets]) rows.clear();
    for (const books of [this.now, this.was]) books.clear();
    this.positionRows.clear();
    this.#orderRows.clear();
    this.#ended.length = 0;
    this.longs.length = 0;
    this.nets.length = 0;
    this.#read(state);
    this.#keepStart();
  }

  /** Returns to the venue that `startAgain` read last: the same as reading it again, in less time. */
  rewind(): void {
    const { now, was, positionRows, totals, authorityNonces } = this;
    const start = this.#start!;
    this.begin();
    const touched = this.#touched;
    now.copyFrom(start.books, touched);
    was.copyFrom(start.books, touched);
    if (touched.positions) positionRows.copyFrom(start.positionRows);
    if (touched.orders) start.orderRows.copy(this.#orderRows);
    this.#forgetTouched();
    copySums(start.longs, this.longs);
    copySums(start.nets, this.nets);
    totals.limbs.set(start.totals.limbs);
    authorityNonces.set(start.authorityNonces);
    this.consumed = start.consumed;
    this.deltas.clear();
    this.fault = undefined;
  }

  #forgetTouched(): void {
    this.#touched.accounts = false;
    this.#touched.positions = false;
    this.#touched.orders = false;
    this.#touched.markets = false;
  }

  #keepStart(): void {
    this.#forgetTouched();
    const { now, positionRows, totals, authorityNonces, consumed } = this;
    const start = (this.#start ??= new LedgerStart());
    start.books.copyFrom(now);
    start.positionRows.copyFrom(positionRows);
    this.#orderRows.copy(start.orderRows);
    copySums(this.longs, start.longs);
    copySums(this.nets, start.nets);
    start.totals.limbs.set(totals.limbs);
    start.authorityNonces.set(authorityNonces);
    start.consumed = consumed;
  }

  /** Begins a moment: copies `now` to `was` for the rows that the last moment touched. */
  begin(): void {
    const { now, was, accounts, positions, orders, markets } = this;
    for (let at = 0; at < accounts.count; at++) {
      copyAccount(now.accounts, was.accounts, accounts.list[at]! as AccountRow);
    }
    for (let at = 0; at < positions.count; at++) {
      copyPosition(now.positions, was.positions, positions.list[at]! as PositionRow);
    }
    for (let at = 0; at < orders.count; at++) copyOrder(now.orders, was.orders, orders.list[at]! as OrderRow);
    for (let at = 0; at < markets.count; at++) copyMarket(now.markets, was.markets, markets.list[at]! as MarketRow);
    const touched = this.#touched;
    if (accounts.count > 0) touched.accounts = true;
    if (positions.count > 0) touched.positions = true;
    if (orders.count > 0) touched.orders = true;
    if (markets.count > 0) touched.markets = true;
    accounts.clear();
    positions.clear();
    orders.clear();
    markets.clear();
    if (this.#ended.length > 0) this.#releaseEnded();
    this.deltas.clear();
    this.fault = undefined;
  }

  fail(fault: string): void {
    this.fault ??= fault;
  }

  /** Row of an account that an event names; grows the columns if necessary. */
  account(row: number): AccountRow {
    const { now, was } = this;
    while (now.accounts.rows.high <= row) {
      const made = now.accounts.rows.allocate();
      was.accounts.rows.allocate();
      now.accounts.owner[made] = NONE as never;
    }
    this.accounts.add(row);
    return row as AccountRow;
  }

  market(row: number): MarketRow {
    const { now, was } = this;
    while (now.markets.rows.high <= row) {
      now.markets.rows.allocate();
      was.markets.rows.allocate();
      this.longs.push(new ExactSum());
      this.nets.push(new ExactSum());
    }
    this.markets.add(row);
    return row as MarketRow;
  }

  /** Row of a position that an event names; creates it if it is missing. */
  position(account: number, market: number): PositionRow {
    const found = this.positionRows.find(account, market);
    const row = found === NONE ? this.#addPosition(account, market) : found;
    this.positions.add(row);
    this.accounts.add(account);
    this.markets.add(market);
    return row;
  }

  /** Row of a resting order, marked as touched; NONE if it does not rest. */
  order(id: number): OrderRow {
    const row = this.#orderRows.find(id) as OrderRow;
    if (row !== NONE) this.orders.add(row);
    return row;
  }

  /** Row of a resting order, without marking it as touched. */
  findOrder(id: number): OrderRow {
    return this.#orderRows.find(id) as OrderRow;
  }

  openOrder(id: number): OrderRow {
    const row = this.now.orders.rows.allocate();
    alignRows(this.was.orders.rows, this.now.orders.rows);
    this.now.orders.id[row] = id as never;
    this.was.orders.id[row] = 0 as never;
    this.#orderRows.insert(id, row);
    this.orders.add(row);
    return row;
  }

  /** Ends an order: it keeps its row until the end of the moment, with nothing remaining. */
  endOrder(row: OrderRow): void {
    this.#orderRows.remove(this.now.orders.id[row]);
    this.#ended.push(row);
  }

  get restingOrders(): number {
    return this.#orderRows.count;
  }

  #addPosition(account: number, market: number): PositionRow {
    this.account(account);
    this.market(market);
    return this.positionRows.add([this.now, this.was], account as AccountRow, market as MarketRow);
  }

  #releaseEnded(): void {
    const { orders } = this.now;
    for (const row of this.#ended) {
      orders.id[row as OrderRow] = 0 as never;
      this.was.orders.id[row as OrderRow] = 0 as never;
      orders.rows.release(row as OrderRow);
    }
    this.#ended.length = 0;
  }

  /** Copies a venue's current state. */
  #read(state: State): void {
    const { now } = this;
    const { accounts, positions, orders, markets } = state;
    for (let row = 0; row < markets.rows.high; row++) copyMarket(markets, now.markets, this.market(row));
    for (let row = 0; row < accounts.rows.high; row++) {
      this.account(row);
      const first = now.accounts.position[row as AccountRow];
      copyAccount(accounts, now.accounts, row as AccountRow);
      now.accounts.position[row as AccountRow] = first;
    }
    for (let row = 0; row < positions.rows.high; row++) {
      if (!positions.rows.isLive(row)) continue;
      const source = row as PositionRow;
      const market = positions.market[source];
      const at = this.position(positions.account[source], market);
      copyHolding(positions, source, now.positions, at);
      const signedLots: number = positions.signedLots[source];
      this.nets[market]!.add(signedLots);
      if (signedLots > 0) this.longs[market]!.add(signedLots);
    }
    for (let row = 0; row < orders.rows.high; row++) {
      if (!orders.rows.isLive(row)) continue;
      const source = row as OrderRow;
      const at = this.openOrder(orders.id[source]);
      copyTerms(orders, source, now.orders, at);
      now.orders.goodTilHeight[at] = getLastHeight(state, source);
      now.orders.goodTilTime[at] = getLastTime(state, source);
      now.orders.grant[at] = getGrant(state, source);
      const position = orders.position[source];
      now.orders.position[at] = this.position(positions.account[position], positions.market[position]);
    }
    this.totals.limbs.set(state.totals.limbs);
    this.authorityNonces.set(state.authorityNonces);
    this.consumed = state.consumed;
    this.begin();
  }
}

/** A ledger between two blocks: `now` and `was` are the same. */
class LedgerStart {
  readonly books = new Books();
  readonly positionRows = new PositionRows();
  readonly orderRows = new NumberIndex(256);
  readonly longs: ExactSum[] = [];
  readonly nets: ExactSum[] = [];
  readonly totals = new Totals();
  readonly authorityNonces = new Float64Array(3);
  consumed = 0;
}

function copySums(from: readonly ExactSum[], to: ExactSum[]): void {
  to.length = Math.min(to.length, from.length);
  for (const [place, { high, low }] of from.entries()) {
    const sum = (to[place] ??= new ExactSum());
    sum.high = high;
    sum.low = low;
  }
}

/** Makes both tables assign the same rows: the second never frees a row itself. */
function alignRows(to: Rows<OrderRow>, from: Rows<OrderRow>): void {
  to.reserve(from.capacity);
  to.high = from.high;
}
