import type { EventKindCode } from "../types.ts";

/** Events of one kind, one market and one source, in order. Columns that the kind does not use are empty. */
export interface EventBatch {
  readonly count: number;
  readonly kind: EventKindCode;
  readonly market: number;
  readonly source: number;
  /** Line of the row that each event comes from. */
  readonly line: Float64Array;
  readonly timeMs: Float64Array;
  readonly side: Int8Array;
  readonly price: Float64Array;
  readonly size: Float64Array;
  readonly open: Float64Array;
  readonly high: Float64Array;
  readonly low: Float64Array;
  readonly rate: Float64Array;
  readonly intervalMs: Float64Array;
  readonly id: Float64Array;
  readonly flags: Uint8Array;
  /**
   * Id of the update that each update of a book follows, where the file has it. For checking: it is not in the stream.
   */
  readonly previous: Float64Array;
}

/** The columns of events that are doubles, apart from the time. */
export const NUMBER_COLUMNS = ["price", "size", "open", "high", "low", "rate", "intervalMs", "id"] as const;

/** Every column of a batch. */
const COLUMNS = ["line", "timeMs", "side", "flags", "previous", ...NUMBER_COLUMNS] as const;

type Column = Float64Array | Int8Array | Uint8Array;

const NONE = new Float64Array(0);
const NO_SIDES = new Int8Array(0);
const NO_FLAGS = new Uint8Array(0);

/** An event batch of the given columns; all others are empty. */
export function createEventBatch(
  given: Pick<EventBatch, "count" | "kind" | "market" | "source" | "line" | "timeMs"> & Partial<EventBatch>,
): EventBatch {
  return {
    side: NO_SIDES,
    price: NONE,
    size: NONE,
    open: NONE,
    high: NONE,
    low: NONE,
    rate: NONE,
    intervalMs: NONE,
    id: NONE,
    flags: NO_FLAGS,
    previous: NONE,
    ...given,
  };
}

/** The same events in another order. */
export function permute(batch: EventBatch, order: Uint32Array): EventBatch {
  return { ...batch, count: order.length, ...mapColumns(batch, (column) => pick(column, order)) };
}

/** Joins batches of one lane into one. */
export function concatenate(batches: readonly EventBatch[]): EventBatch {
  const [first] = batches;
  if (first === undefined) throw new Error("nothing to join");
  const count = batches.reduce((sum, batch) => sum + batch.count, 0);
  return { ...first, count, ...mapColumns(first, (column, name) => join(column, batches, name, count)) };
}

function mapColumns(
  batch: EventBatch,
  map: (column: Column, name: (typeof COLUMNS)[number]) => Column,
): Partial<EventBatch> {
  return Object.fromEntries(
    COLUMNS.map((name) => [name, batch[name].length === 0 ? batch[name] : map(batch[name], name)]),
  );
}

function pick(column: Column, order: Uint32Array): Column {
  const picked = column.slice(0, order.length);
  for (let index = 0; index < order.length; index++) picked[index] = column[order[index]!]!;
  return picked;
}

function join(first: Column, batches: readonly EventBatch[], name: (typeof COLUMNS)[number], count: number): Column {
  const joined = new (first.constructor as new (length: number) => Column)(count);
  let at = 0;
  for (const batch of batches) {
    joined.set(batch[name].subarray(0, batch.count), at);
    at += batch.count;
  }
  return joined;
}
