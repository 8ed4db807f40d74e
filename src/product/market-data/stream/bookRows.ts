/** From rows to levels of an order book: changes, whole books, best prices. */
import type { ColumnIndex, DepthSpec, LevelColumns, LevelsSpec, QuoteSpec } from "../readers/layout.ts";
import type { RowBatch } from "../scan/rowBatch.ts";
import { BookFlag } from "../types.ts";
import type { EventBatch } from "./eventBatch.ts";
import type { SizeReader } from "./sizes.ts";

/** Events, and the row that each comes from. */
export type SpreadRows = Pick<EventBatch, "price" | "size" | "side" | "id" | "flags"> & { readonly from: Uint32Array };

type Levels = Map<number, number>;

/** Reads the book of one stream, row by row: whole books become the changes from one to the next. */
export class BookRows {
  readonly #sizes: SizeReader;
  /** The last row belonged to a snapshot, with this id and time. */
  #snapshot: { readonly id: number; readonly timeMs: number } | undefined;
  /** The whole book of the last row: sizes by price. */
  #bids: Levels = new Map();
  #asks: Levels = new Map();
  #isFirst = true;
  /** Of quotes whose rows have one side. */
  #bestBid: { readonly price: number; readonly size: number } = EMPTY;
  #bestAsk: { readonly price: number; readonly size: number } = EMPTY;

  constructor(sizes: SizeReader) {
    this.#sizes = sizes;
  }

  /** One level a row. */
  readChanges(rows: RowBatch, spec: DepthSpec): Partial<EventBatch> {
    const price = rows.values[spec.price]!;
    const id = spec.id === undefined ? undefined : rows.values[spec.id]!;
    return {
      price,
      size: this.#sizes.read(rows, spec.size, price),
      side: Int8Array.from(rows.values[spec.side]!.subarray(0, rows.count)),
      flags: this.#flagSnapshots(rows, spec),
      ...(id === undefined ? {} : { id }),
      ...(spec.previous === undefined ? {} : { previous: rows.values[spec.previous]! }),
    };
  }

  /** A snapshot begins with its first row, and, unless it is a run, with a row of another update or time. */
  #flagSnapshots(rows: RowBatch, spec: DepthSpec): Uint8Array {
    const flags = new Uint8Array(rows.count);
    if (spec.snapshot === "none") return flags;
    const marks = spec.snapshot === "all" ? undefined : rows.values[spec.snapshot]!;
    const times = rows.values[spec.time]!;
    const ids = spec.id === undefined ? undefined : rows.values[spec.id]!;
    for (let row = 0; row < rows.count; row++) {
      if (marks !== undefined && marks[row] !== 1) {
        this.#snapshot = undefined;
        continue;
      }
      const [id, timeMs] = [ids?.[row] ?? 0, times[row]!];
      const last = this.#snapshot;
      const isSame = last !== undefined && (spec.snapshotIsRun || (last.id === id && last.timeMs === timeMs));
      flags[row] = isSame ? BookFlag.snapshot : BookFlag.snapshot | BookFlag.first;
      if (!isSame) this.#snapshot = { id, timeMs };
    }
    return flags;
  }

  /**
   * The best levels, whole in each row. The first row is a snapshot, each later one the changes from the row before it.
   */
  readLevels(rows: RowBatch, spec: LevelsSpec): SpreadRows {
    const out = new Spread();
    const bids = this.#readSide(rows, spec.bids);
    const asks = this.#readSide(rows, spec.asks);
    for (let row = 0; row < rows.count; row++) {
      out.begin(row, spec.id === undefined ? 0 : rows.values[spec.id]![row]!);
      const flags = this.#isFirst ? BookFlag.snapshot : 0;
      const before = out.count;
      this.#bids = addChanges(out, this.#bids, bids, row, 1, flags);
      this.#asks = addChanges(out, this.#asks, asks, row, -1, flags);
      if (!this.#isFirst || out.count === before) continue;
      out.markFirst(before);
      this.#isFirst = false;
    }
    return out.take();
  }

  #readSide(rows: RowBatch, levels: readonly LevelColumns[]): SideColumns[] {
    return levels.map(({ price, size }) => {
      const prices = rows.values[price]!;
      return { prices, sizes: this.#sizes.read(rows, size, prices) };
    });
  }

  /** Best bid, then best ask, of each row. */
  readQuotes(rows: RowBatch, spec: QuoteSpec): SpreadRows {
    const out = new Spread();
    const [bid, ask] = this.#readSide(rows, [spec.bid, spec.ask]);
    if (spec.side !== undefined) return this.#readOneSided(rows, bid!, rows.values[spec.side]!, spec.id);
    for (let row = 0; row < rows.count; row++) {
      out.begin(row, spec.id === undefined ? 0 : rows.values[spec.id]![row]!);
      addBest(out, bid!, row, 1);
      addBest(out, ask!, row, -1);
    }
    return out.take();
  }

  /** The best price of one side in each row; the other stays. Before its first row a side is empty. */
  #readOneSided(rows: RowBatch, columns: SideColumns, sides: Float64Array, id: ColumnIndex | undefined): SpreadRows {
    const out = new Spread();
    for (let row = 0; row < rows.count; row++) {
      const isThere = isLevel(columns, row);
      const best = isThere ? { price: columns.prices[row]!, size: columns.sizes[row]! } : EMPTY;
      if (sides[row]! > 0) this.#bestBid = best;
      else this.#bestAsk = best;
      out.begin(row, id === undefined ? 0 : rows.values[id]![row]!);
      out.add(this.#bestBid.price, this.#bestBid.size, 1, 0);
      out.add(this.#bestAsk.price, this.#bestAsk.size, -1, 0);
    }
    return out.take();
  }
}

const EMPTY = { price: 0, size: 0 } as const;

interface SideColumns {
  readonly prices: Float64Array;
  readonly sizes: Float64Array;
}

/** True if there is a level: an empty cell is NaN, and some venues write 0. */
const isLevel = ({ prices, sizes }: SideColumns, row: number): boolean => prices[row]! > 0 && sizes[row]! > 0;

function addBest(out: Spread, columns: SideColumns, row: number, side: 1 | -1): void {
  if (isLevel(columns, row)) out.add(columns.prices[row]!, columns.sizes[row]!, side, 0);
  else out.add(0, 0, side, 0);
}

/** Levels that are gone, then those that are new or have another size. */
function addChanges(
  out: Spread,
  last: Levels,
  columns: SideColumns[],
  row: number,
  side: 1 | -1,
  flags: number,
): Levels {
  const now: Levels = new Map();
  for (const level of columns) if (isLevel(level, row)) now.set(level.prices[row]!, level.sizes[row]!);
  for (const price of last.keys()) if (!now.has(price)) out.add(price, 0, side, flags);
  for (const [price, size] of now) if (last.get(price) !== size) out.add(price, size, side, flags);
  return now;
}

/** Collects events of which a row gives any number. */
class Spread {
  readonly #from: number[] = [];
  readonly #price: number[] = [];
  readonly #size: number[] = [];
  readonly #side: number[] = [];
  readonly #id: number[] = [];
  readonly #flags: number[] = [];
  #row = 0;
  #rowId = 0;

  get count(): number {
    return this.#price.length;
  }

  begin(row: number, id: number): void {
    this.#row = row;
    this.#rowId = id;
  }

  add(price: number, size: number, side: 1 | -1, flags: number): void {
    this.#from.push(this.#row);
    this.#price.push(price);
    this.#size.push(size);
    this.#side.push(side);
    this.#id.push(this.#rowId);
    this.#flags.push(flags);
  }

  markFirst(event: number): void {
    this.#flags[event]! |= BookFlag.first;
  }

  take(): SpreadRows {
    return {
      from: Uint32Array.from(this.#from),
      price: Float64Array.from(this.#price),
      size: Float64Array.from(this.#size),
      side: Int8Array.from(this.#side),
      id: Float64Array.from(this.#id),
      flags: Uint8Array.from(this.#flags),
    };
  }
}
