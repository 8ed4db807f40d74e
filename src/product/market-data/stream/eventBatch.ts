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
}

/** The columns of events that are doubles, apart from the time. */
export const NUMBER_COLUMNS = ["price", "size", "open", "high", "low", "rate", "intervalMs", "id"] as const;
export type NumberColumn = (typeof NUMBER_COLUMNS)[number];

const NONE = new Float64Array(0);
const NO_SIDES = new Int8Array(0);

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
    ...given,
  };
}

/** The same events in another order. */
export function permute(batch: EventBatch, order: Uint32Array): EventBatch {
  const pick = <A extends Float64Array | Int8Array>(column: A): A => {
    if (column.length === 0) return column;
    const picked = column.slice(0, order.length) as A;
    for (let index = 0; index < order.length; index++) picked[index] = column[order[index]!]!;
    return picked;
  };
  return {
    count: order.length,
    kind: batch.kind,
    market: batch.market,
    source: batch.source,
    line: pick(batch.line),
    timeMs: pick(batch.timeMs),
    side: pick(batch.side),
    price: pick(batch.price),
    size: pick(batch.size),
    open: pick(batch.open),
    high: pick(batch.high),
    low: pick(batch.low),
    rate: pick(batch.rate),
    intervalMs: pick(batch.intervalMs),
    id: pick(batch.id),
  };
}

/** Joins batches of one lane into one. */
export function concatenate(batches: readonly EventBatch[]): EventBatch {
  const [first] = batches;
  if (first === undefined) throw new Error("nothing to join");
  const count = batches.reduce((sum, batch) => sum + batch.count, 0);
  const join = (name: "line" | "timeMs" | NumberColumn): Float64Array => {
    if (first[name].length === 0) return NONE;
    const joined = new Float64Array(count);
    let at = 0;
    for (const batch of batches) {
      joined.set(batch[name].subarray(0, batch.count), at);
      at += batch.count;
    }
    return joined;
  };
  const sides = first.side.length === 0 ? NO_SIDES : new Int8Array(count);
  if (sides.length > 0) {
    let at = 0;
    for (const batch of batches) {
      sides.set(batch.side.subarray(0, batch.count), at);
      at += batch.count;
    }
  }
  return {
    count,
    kind: first.kind,
    market: first.market,
    source: first.source,
    line: join("line"),
    timeMs: join("timeMs"),
    side: sides,
    price: join("price"),
    size: join("size"),
    open: join("open"),
    high: join("high"),
    low: join("low"),
    rate: join("rate"),
    intervalMs: join("intervalMs"),
    id: join("id"),
  };
}
