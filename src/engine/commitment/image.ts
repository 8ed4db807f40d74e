import { ByteReader } from "../../collections/byteReader.ts";
import { ByteWriter } from "../../collections/byteWriter.ts";
import { columnsOf, NONE, type Rows } from "../../collections/table.ts";
import { EngineError } from "../../protocol/engineError.ts";
import type { Genesis } from "../../protocol/genesis.ts";
import { isParameterFault, readDefinition, readMarketParameters } from "../../protocol/parameters.ts";
import { restoreGrants } from "../authorization/restoreGrants.ts";
import { Book } from "../book/book.ts";
import { rebuildIntents } from "../intents/rebuildIntents.ts";
import {
  type AccountRow,
  accountTable,
  authorizationTable,
  extraTable,
  intentTable,
  laneTable,
  marketTable,
  type OrderRow,
  orderTable,
  ownerTable,
  positionTable,
  sourceTable,
  volumeTable,
} from "../state/schema.ts";
import { State } from "../state/state.ts";
import { requireVersion } from "./requireVersion.ts";

const MAGIC = "perplab image 2";

type NumericArray = Uint8Array | Int32Array | Float64Array | BigInt64Array;

/** What an image keeps as text: small, or not in columns. */
interface ImageHead {
  readonly genesis: Genesis;
  readonly height: number;
  readonly timeMs: number;
  readonly consumed: number;
  readonly marketNames: string[];
  readonly definitions: string[];
  readonly clientTexts: string[];
  readonly clientFree: number[];
  readonly intentTexts: string[];
  readonly chainPending: number;
  /** Texts of grants, by row: label, markets, subaccounts. */
  readonly grants: readonly (readonly [string, string, string])[];
  /** Day, and what the insurance fund paid in it by account and by market. */
  readonly insured: readonly [number, readonly [number, string][], readonly [number, string][]];
  /** Last height of the pause, then start, base and use of the hour and of the day. */
  readonly outflow: readonly [number, ...(readonly [number, string, string])[]];
}

/**
 * The image of a venue (DET-3): its columns as they lie, for restart and fork. Byte order is that of the machine, which
 * is little-endian wherever Node runs. Restoring behaves as the original, with the same chain of effects.
 */
export function writeImage(state: State): Uint8Array<ArrayBuffer> {
  const out = new ByteWriter(estimateBytes(state));
  out.text(MAGIC);
  const head: ImageHead = {
    genesis: state.genesis,
    height: state.height,
    timeMs: state.timeMs,
    consumed: state.consumed,
    marketNames: state.marketNames,
    definitions: state.parameters.map(({ definition }) => definition),
    clientTexts: state.clients.texts,
    clientFree: state.clients.free,
    intentTexts: state.intentTexts,
    chainPending: state.chain.pending,
    grants: state.grants.labels.map((label, row) => [
      label,
      state.grants.markets[row]!,
      state.grants.subaccounts[row]!,
    ]),
    insured: [state.insured.day, listPaid(state.insured.accounts), listPaid(state.insured.markets)],
    outflow: [
      state.outflow.pausedUntil,
      ...state.outflow.windows.map(({ startMs, base, used }) => [startMs, `${base}`, `${used}`] as const),
    ],
  };
  out.text(JSON.stringify(head));
  writeTable(out, state.owners.rows, columnsOf(ownerTable, state.owners));
  writeTable(out, state.accounts.rows, columnsOf(accountTable, state.accounts));
  writeTable(out, state.positions.rows, columnsOf(positionTable, state.positions));
  writeTable(out, state.orders.rows, columnsOf(orderTable, state.orders));
  writeTable(out, state.extras.rows, columnsOf(extraTable, state.extras));
  writeTable(out, state.intents.rows, columnsOf(intentTable, state.intents));
  writeTable(out, state.volumes.rows, columnsOf(volumeTable, state.volumes));
  writeTable(out, state.markets.rows, columnsOf(marketTable, state.markets));
  writeTable(out, state.authorizations.rows, columnsOf(authorizationTable, state.authorizations));
  writeTable(out, state.lanes.rows, columnsOf(laneTable, state.lanes));
  writeTable(out, state.agents.rows, columnsOf(ownerTable, state.agents));
  writeTable(out, state.sources.rows, columnsOf(sourceTable, state.sources));
  for (const book of state.books) writeBook(out, book);
  writeArray(out, state.totals.limbs);
  writeArray(out, state.authorityNonces);
  if (state.nonceWindow !== 0) {
    writeArray(out, state.ownerNonces.bits);
    writeArray(out, state.agentNonces.bits);
  }
  writeArray(out, state.ownerIndex.slots);
  out.u32(state.ownerIndex.count);
  writeArray(out, state.orderIndex.slots);
  out.u32(state.orderIndex.count);
  writeArray(out, state.positionIndex.keys);
  writeArray(out, state.positionIndex.rows);
  out.u32(state.positionIndex.count);
  out.blob(state.chain.base);
  writeArray(out, state.events.data.subarray(0, state.events.length));
  return out.view8();
}

/** About how long an image becomes, so that it is written without growing; texts make it a little longer. */
function estimateBytes(state: State): number {
  const tables: readonly (readonly [Rows<number>, readonly [string, NumericArray | Int8Array][]])[] = [
    [state.owners.rows, columnsOf(ownerTable, state.owners)],
    [state.accounts.rows, columnsOf(accountTable, state.accounts)],
    [state.positions.rows, columnsOf(positionTable, state.positions)],
    [state.orders.rows, columnsOf(orderTable, state.orders)],
    [state.intents.rows, columnsOf(intentTable, state.intents)],
    [state.volumes.rows, columnsOf(volumeTable, state.volumes)],
  ];
  let bytes = 1 << 16;
  for (const [rows, columns] of tables) {
    const width = columns.reduce((sum, [, column]) => sum + column.BYTES_PER_ELEMENT, rows.link.BYTES_PER_ELEMENT);
    bytes += rows.high * width;
  }
  for (const book of state.books) bytes += book.byteLength();
  bytes += state.ownerNonces.bits.byteLength + state.agentNonces.bits.byteLength;
  const { ownerIndex, orderIndex, positionIndex, events } = state;
  bytes += ownerIndex.slots.byteLength + orderIndex.slots.byteLength;
  bytes += positionIndex.keys.byteLength + positionIndex.rows.byteLength;
  return bytes + events.length * events.data.BYTES_PER_ELEMENT;
}

/**
 * A venue from its image.
 *
 * @throws EngineError INVALID_SNAPSHOT
 */
export function readImage(bytes: Uint8Array): State {
  try {
    return read(new ByteReader(bytes));
  } catch (error) {
    if (error instanceof EngineError) throw error;
    const fault = `not an image, or cut short (${(error as Error).message})`;
    throw new EngineError("INVALID_SNAPSHOT", fault, { fault }, { cause: error });
  }
}

function read(input: ByteReader): State {
  if (input.text() !== MAGIC) throw new Error(`does not start with "${MAGIC}"`);
  const head = JSON.parse(input.text()) as ImageHead;
  requireVersion(head.genesis);
  const state = new State(head.genesis);
  state.height = head.height;
  state.timeMs = head.timeMs;
  state.consumed = head.consumed;
  head.marketNames.forEach((name, market) => {
    const texts = readDefinition(head.definitions[market]!);
    const parameters = readMarketParameters("linear", { tier2: "", ...texts });
    if (isParameterFault(parameters)) throw new Error(`market ${name}: ${parameters.parameter} ${parameters.reason}`);
    state.parameters.push(parameters);
    if (parameters.feeTiers.length > 0) state.tiered = true;
    state.marketNames.push(name);
    state.marketRows.set(name, market as never);
  });
  readTable(input, state.owners.rows, () => columnsOf(ownerTable, state.owners));
  readTable(input, state.accounts.rows, () => columnsOf(accountTable, state.accounts));
  readTable(input, state.positions.rows, () => columnsOf(positionTable, state.positions));
  readTable(input, state.orders.rows, () => columnsOf(orderTable, state.orders));
  readTable(input, state.extras.rows, () => columnsOf(extraTable, state.extras));
  readTable(input, state.intents.rows, () => columnsOf(intentTable, state.intents));
  readTable(input, state.volumes.rows, () => columnsOf(volumeTable, state.volumes));
  readTable(input, state.markets.rows, () => columnsOf(marketTable, state.markets));
  readTable(input, state.authorizations.rows, () => columnsOf(authorizationTable, state.authorizations));
  readTable(input, state.lanes.rows, () => columnsOf(laneTable, state.lanes));
  readTable(input, state.agents.rows, () => columnsOf(ownerTable, state.agents));
  readTable(input, state.sources.rows, () => columnsOf(sourceTable, state.sources));
  state.books = head.marketNames.map(() => readBook(input));
  state.totals.limbs.set(readArray(input, Float64Array));
  state.authorityNonces.set(readArray(input, Float64Array));
  if (state.nonceWindow !== 0) {
    state.ownerNonces.bits = readArray(input, Int32Array);
    state.agentNonces.bits = readArray(input, Int32Array);
  }
  state.ownerIndex.slots = readArray(input, Int32Array);
  state.ownerIndex.count = input.u32();
  state.orderIndex.slots = readArray(input, Int32Array);
  state.orderIndex.count = input.u32();
  state.positionIndex.keys = readArray(input, Float64Array);
  state.positionIndex.rows = readArray(input, Int32Array);
  state.positionIndex.count = input.u32();
  state.chain.base = input.blob().slice();
  state.chain.pending = head.chainPending;
  state.events.data = readArray(input, Float64Array);
  state.events.length = state.events.data.length;
  if (input.left() !== 0) throw new Error(`${input.left()} bytes too many`);
  restoreDerived(state, head);
  restoreGrants(state, head.grants);
  return state;
}

/** What is not in columns: expiries, client order ids by name, what the fund paid today, gates before withdrawals, and who is looked at (everybody). */
function restoreDerived(state: State, head: ImageHead): void {
  const { orders, extras, positions, clients, accounts, risk, insured } = state;
  clients.texts = head.clientTexts.slice();
  clients.free = head.clientFree.slice();
  const [day, byAccount, byMarket] = head.insured;
  insured.day = day;
  for (const [account, paid] of byAccount) insured.accounts.set(account as AccountRow, BigInt(paid));
  for (const [market, paid] of byMarket) insured.markets.set(market, BigInt(paid));
  const [pausedUntil, ...windows] = head.outflow;
  state.outflow.pausedUntil = pausedUntil;
  windows.forEach(([startMs, base, used], place) => {
    state.outflow.windows[place]!.copyFrom({ startMs, base: BigInt(base), used: BigInt(used) });
  });
  state.intentTexts = head.intentTexts.slice();
  rebuildIntents(state);
  for (let row = 0 as OrderRow; row < orders.rows.high; row++) {
    if (!orders.rows.isLive(row)) continue;
    const extra = orders.extra[row];
    if (extra === NONE) continue;
    if (extras.goodTilHeight[extra] !== 0) state.expiries.byHeight.insert(row, extras.goodTilHeight[extra]);
    if (extras.goodTilTime[extra] !== 0) state.expiries.byTime.insert(row, extras.goodTilTime[extra]);
    if (extras.client[extra] === NONE) continue;
    clients.orders.set(`${positions.account[orders.position[row]]} ${clients.text(extras.client[extra])}`, row);
  }
  for (let row = 0; row < positions.rows.high; row++) (positions.heapPlace as Record<number, number>)[row] = NONE;
  for (let account = 0 as AccountRow; account < accounts.rows.high; account++) {
    accounts.dirty[account] = 0;
    if (accounts.cancelTime[account] !== 0) state.expiries.cancels.insert(account, accounts.cancelTime[account]);
    risk.markDirty(accounts, account);
  }
}

function listPaid(paid: ReadonlyMap<number, bigint>): [number, string][] {
  return [...paid].map(([key, amount]) => [key, String(amount)]);
}

function writeArray(out: ByteWriter, array: NumericArray): void {
  out.blob(new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
}

function readArray<A extends NumericArray>(input: ByteReader, type: new (buffer: ArrayBuffer) => A): A {
  return new type(input.blob().slice().buffer as ArrayBuffer);
}

function writeTable(out: ByteWriter, rows: Rows<number>, columns: readonly [string, NumericArray | Int8Array][]): void {
  out.u32(rows.high);
  out.u32(rows.count);
  out.f64(rows.freeHead);
  writeArray(out, rows.link.subarray(0, rows.high));
  for (const [, column] of columns) writeArray(out, (column as Float64Array).subarray(0, rows.high));
}

function readTable(
  input: ByteReader,
  rows: Rows<number>,
  columns: () => readonly [string, NumericArray | Int8Array][],
): void {
  const high = input.u32();
  rows.reserve(high);
  rows.high = high;
  rows.count = input.u32();
  rows.freeHead = input.f64();
  rows.link.set(readArray(input, Int32Array));
  for (const [, column] of columns()) {
    new Uint8Array(column.buffer, column.byteOffset, column.byteLength).set(input.blob());
  }
}

function writeBook(out: ByteWriter, book: Book): void {
  for (const array of [book.directory, book.heads, book.tails, book.used, book.summary, book.levels]) {
    writeArray(out, array);
  }
  writeArray(out, Int32Array.from(book.freePages));
  out.u32(book.pages);
  out.u32(book.bestBid);
  out.u32(book.bestAsk);
}

function readBook(input: ByteReader): Book {
  const book = new Book();
  book.directory = readArray(input, Int32Array);
  book.heads = readArray(input, Int32Array);
  book.tails = readArray(input, Int32Array);
  book.used = readArray(input, Int32Array);
  book.summary = readArray(input, Int32Array);
  book.levels = readArray(input, Int32Array);
  book.freePages = Array.from(readArray(input, Int32Array));
  book.pages = input.u32();
  book.bestBid = input.u32() as Book["bestBid"];
  book.bestAsk = input.u32() as Book["bestAsk"];
  return book;
}
