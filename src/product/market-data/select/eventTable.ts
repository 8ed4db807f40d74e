/** Events as rows of a table: exact decimals, times in UTC, words instead of codes. */
import { decimal, flag, nullable, text, time, whole } from "../../tables/columns.ts";
import { defineTable, type Row } from "../../tables/table.ts";
import { formatExact } from "../scan/exactDecimal.ts";
import { BookFlag, type EventChunk, KIND_NAMES } from "../types.ts";

export const EVENT_TABLE = defineTable("events", "One row is an event of recorded data, in the order of the tape.", {
  time: time("When the event was known; of a bar, its close"),
  market: text("Market by name"),
  kind: text("index, mark, funding, trade, depth, quote, series or bar"),
  side: nullable(text("Trade: buy or sell of the taker; depth and quote: bid or ask")),
  price: nullable(
    decimal(8, "USD per base", "Price; of a bar or an interval, the last; of a level or a quote, its price"),
  ),
  size: nullable(decimal(8, "base", "Size of a trade; volume of a bar; size of a level or quote, 0 where it is gone")),
  open: nullable(decimal(8, "USD per base", "First price of the interval")),
  high: nullable(decimal(8, "USD per base", "Highest price of the interval")),
  low: nullable(decimal(8, "USD per base", "Lowest price of the interval")),
  rate: nullable(decimal(9, "", "Funding rate of the whole period; longs pay where it is positive")),
  intervalMs: nullable(
    whole("Length of the bar, the interval or the funding period; of a series, how late its value was known", "ms"),
  ),
  id: nullable(whole("Id of the trade or of the update of the book at the venue")),
  snapshot: nullable(flag("Depth: the level belongs to a snapshot of the whole book")),
  gap: nullable(flag("Depth: updates before this one are missing")),
  series: nullable(text("Series by name")),
  value: nullable(text("Series: its value, an exact decimal that may be longer than a double")),
});

export type EventRow = Row<typeof EVENT_TABLE>;

/**
 * A row of a chunk as a row of the table.
 *
 * @param nameSeries name of a series by the id of its events
 */
export function readEventRow(
  chunk: EventChunk,
  row: number,
  markets: readonly string[],
  nameSeries: (id: number) => string,
): EventRow {
  const kind = KIND_NAMES.get(chunk.kind[row]!)!;
  const isSeries = kind === "series";
  const isPath = chunk.high[row] !== 0;
  const isBook = kind === "depth" || kind === "quote";
  const hasSize = isBook || kind === "trade" || kind === "bar";
  const flags = chunk.flags[row]!;
  return {
    time: chunk.timeMs[row]!,
    market: markets[chunk.market[row]!]!,
    kind,
    side: readSide(chunk.side[row]!, isBook),
    price: kind === "funding" || isSeries ? null : chunk.price[row]!,
    size: hasSize ? readSize(chunk.size[row]!) : null,
    open: isPath ? chunk.open[row]! : null,
    high: isPath ? chunk.high[row]! : null,
    low: isPath ? chunk.low[row]! : null,
    rate: kind === "funding" ? chunk.rate[row]! : null,
    intervalMs: chunk.intervalMs[row] === 0 && !isSeries ? null : chunk.intervalMs[row]!,
    id: chunk.id[row] === 0 || isSeries ? null : chunk.id[row]!,
    snapshot: kind === "depth" ? (flags & BookFlag.snapshot) !== 0 : null,
    gap: kind === "depth" ? (flags & BookFlag.gap) !== 0 : null,
    series: isSeries ? nameSeries(chunk.id[row]!) : null,
    value: isSeries ? formatExact({ whole: chunk.price[row]!, fraction: chunk.size[row]! }) : null,
  };
}

function readSide(side: number, isBook: boolean): string | null {
  if (side === 0) return null;
  return isBook ? (side > 0 ? "bid" : "ask") : side > 0 ? "buy" : "sell";
}

/** A size beyond 2^53 is a whole number all the same. */
const readSize = (size: number): number | bigint => (Number.isSafeInteger(size) ? size : BigInt(size));
