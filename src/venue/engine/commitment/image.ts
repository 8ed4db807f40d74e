import { ByteReader } from "../../../ground/collections/byteReader.ts";
import { ByteWriter } from "../../../ground/collections/byteWriter.ts";
import { NONE } from "../../../ground/collections/table.ts";
import { EngineError } from "../../../protocol/engineError.ts";
import type { Genesis } from "../../../protocol/genesis.ts";
import { isParameterFault } from "../../../protocol/parameterFault.ts";
import { readDefinition, readMarketParameters } from "../../../protocol/readParameters.ts";
import { restoreGrants } from "../authorization/restoreGrants.ts";
import { Book } from "../state/book.ts";
import { rebuildIntents } from "../state/rebuildIntents.ts";
import type { AccountRow, OrderRow } from "../state/schema.ts";
import { State } from "../state/state.ts";
import { listTables, planTable, readTable, type TablePlan, writeTable } from "./imageTables.ts";
import { requireForm, requireVersion } from "./requireVersion.ts";

/** Version of the layout of an image; another number is refused. */
const VERSION = 2;

type NumericArray = Int32Array | Float64Array;

/** Values that an image stores as text: small ones, or those not in columns. */
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
  /** Day, and the payments of the insurance fund in it by account and by market. */
  readonly insured: readonly [number, readonly [number, string][], readonly [number, string][]];
  /** Last height of the pause, then start, base and use of the hour and of the day. */
  readonly outflow: readonly [number, ...(readonly [number, string, string])[]];
}

/**
 * The image of a venue (DET-3): its columns as in memory, for restart and fork. Byte order is that of the machine,
 * which is little-endian wherever Node runs. Restoring behaves as the original, with the same chain of effects.
 */
export function writeImage(state: State): Uint8Array<ArrayBuffer> {
  const plans = listTables(state).map(planTable);
  const out = new ByteWriter(estimateBytes(state, plans));
  out.text(`perplab image ${VERSION}`);
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
  for (const plan of plans) writeTable(out, plan);
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
function estimateBytes(state: State, plans: readonly TablePlan[]): number {
  let bytes = 1 << 12;
  for (const plan of plans) bytes += plan.bytes;
  // Memory is cleared before it is written: a small venue gets little room for the rest.
  bytes += Math.min(bytes, 1 << 16);
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
  requireForm(input.text(), "perplab image", VERSION);
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
  for (const table of listTables(state)) readTable(input, table);
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

/**
 * Rebuilds derived state: expiries, client order ids by name, payments of the fund today, gates of withdrawals, dirty
 * accounts (all).
 */
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
  book.findKeys();
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
