import { formatExact } from "../../market-data/scan/exactDecimal.ts";
import { trimChunk } from "../../market-data/stream/chunkBuilder.ts";
import { EVENT_KINDS, type EventChunk, EventKind, type EventSource } from "../../market-data/types.ts";
import { type EventRow, type Future, FutureChanger } from "./future.ts";

/** The first event that a future changes. Prices are 1e-8 USD, rates parts per billion. */
export interface FirstChange {
  readonly market: string;
  /** `bar`, `trade`, ..., or the name of a series. */
  readonly kind: string;
  /** When the event is known: for a bar, its close. */
  readonly timeMs: number;
  /** Of a bar, its close; of funding, its rate; of a series, exact text. */
  readonly from: number | string;
  readonly to: number | string;
}

/**
 * Data with another future, in memory. Its manifest is that of the data: steps and markets do not depend on the cut.
 */
export interface ChangedSource extends EventSource {
  /** Known once the chunks were read so far. */
  readonly firstChange: FirstChange | undefined;
}

/**
 * Shows data with another future.
 *
 * @param untilMs the data ends after this time. Default: where it ends
 */
export function changeSource(source: EventSource, future: Future, untilMs = Number.POSITIVE_INFINITY): ChangedSource {
  const changer = new FutureChanger(future);
  let firstChange: FirstChange | undefined;
  const note = (change: FirstChange) => (firstChange ??= change);
  return {
    manifest: source.manifest,
    async *chunks({ fromMs = Number.NEGATIVE_INFINITY, toMs = Number.POSITIVE_INFINITY } = {}) {
      const endMs = Math.min(toMs, untilMs + 1);
      for await (const chunk of source.chunks({ fromMs, toMs: endMs })) {
        const trimmed = trimChunk(chunk, fromMs, endMs);
        if (trimmed !== undefined) yield changeChunk(trimmed, changer, future, note);
      }
    },
    close: () => source.close(),
    get firstChange() {
      return firstChange;
    },
  };
}

function changeChunk(
  chunk: EventChunk,
  changer: FutureChanger,
  { cutMs, markets, series }: Future,
  note: (change: FirstChange) => void,
): EventChunk {
  const { count, kind, market, timeMs, intervalMs, id } = chunk;
  if (timeMs[count - 1]! <= cutMs) return chunk;
  const own = (column: Float64Array) => column.slice(0, count);
  const changed = {
    ...chunk,
    price: own(chunk.price),
    size: own(chunk.size),
    open: own(chunk.open),
    high: own(chunk.high),
    low: own(chunk.low),
    rate: own(chunk.rate),
  };
  const row = { kind: 0, market: 0, timeMs: 0, intervalMs: 0, id: 0, ...NO_VALUES };
  for (let at = 0; at < count; at++) {
    if (timeMs[at]! <= cutMs) continue;
    row.kind = kind[at]!;
    row.market = market[at]!;
    row.timeMs = timeMs[at]!;
    row.intervalMs = intervalMs[at]!;
    row.id = id[at]!;
    for (const name of COLUMNS) row[name] = changed[name][at]!;
    if (!changer.change(row)) continue;
    if (row.kind === EventKind.series) {
      const { market: of, name: kindName } = series![row.id]!;
      const textOf = (whole: number, fraction: number) => formatExact({ whole, fraction });
      const from = textOf(changed.price[at]!, changed.size[at]!);
      note({ market: of, kind: kindName, timeMs: row.timeMs, from, to: textOf(row.price, row.size) });
    }
    const value = row.kind === EventKind.funding ? "rate" : "price";
    if (row.kind !== EventKind.series && row[value] !== changed[value][at]) {
      note({
        market: markets[row.market]!.name,
        kind: EVENT_KINDS.find((name) => EventKind[name] === row.kind)!,
        timeMs: row.timeMs,
        from: changed[value][at]!,
        to: row[value],
      });
    }
    for (const name of COLUMNS) changed[name][at] = row[name];
  }
  return changed;
}

const NO_VALUES = { price: 0, size: 0, open: 0, high: 0, low: 0, rate: 0 };
const COLUMNS = ["price", "size", "open", "high", "low", "rate"] as const satisfies readonly (keyof EventRow)[];
