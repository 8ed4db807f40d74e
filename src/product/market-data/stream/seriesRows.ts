/** From rows to values of series: an event for each value that a row has. */
import type { QualityLog } from "../quality.ts";
import { fractionOf } from "../readers/exactColumns.ts";
import type { Layout, SeriesSpec } from "../readers/layout.ts";
import type { RowBatch } from "../scan/rowBatch.ts";
import { EventKind } from "../types.ts";
import { createEventBatch, type EventBatch } from "./eventBatch.ts";

/** Where the rows come from, and where their findings go. */
export interface SeriesPlace {
  readonly market: number;
  readonly source: number;
  readonly log: QualityLog;
  /** Places of the series of the layout, by the names of the spec. */
  readonly ids: readonly number[];
}

/**
 * @param coversMs by row: length of the time that it covers, at whose end it can first be known; undefined for samples
 */
export function readSeries(
  rows: RowBatch,
  spec: SeriesSpec,
  layout: Layout,
  coversMs: Float64Array | undefined,
  { market, source, log, ids }: SeriesPlace,
): EventBatch {
  const columns = spec.values.map((column) => ({
    name: layout.columns[column]!.name,
    whole: rows.values[column]!,
    fraction: rows.values[fractionOf(layout, column)]!,
  }));
  const most = rows.count * columns.length;
  const own = rows.values[spec.time]!;
  const group = spec.group === undefined ? undefined : rows.values[spec.group]!;
  const line = new Float64Array(most);
  const timeMs = new Float64Array(most);
  const price = new Float64Array(most);
  const size = new Float64Array(most);
  const intervalMs = new Float64Array(most);
  const id = new Float64Array(most);
  let count = 0;
  for (let row = 0; row < rows.count; row++) {
    const first = group === undefined ? 0 : group[row]! * columns.length;
    const lateMs = spec.delayMs + (coversMs === undefined ? 0 : coversMs[row]!);
    for (const [place, { name, whole, fraction }] of columns.entries()) {
      if (Number.isNaN(whole[row]!)) {
        log.report("nullRow", source, rows.line[row]!, name, "the cell is empty");
        continue;
      }
      line[count] = rows.line[row]!;
      timeMs[count] = own[row]! + lateMs;
      price[count] = whole[row]!;
      size[count] = fraction[row]!;
      intervalMs[count] = lateMs;
      id[count++] = ids[first + place]!;
    }
  }
  const cut = (column: Float64Array): Float64Array => column.subarray(0, count);
  return createEventBatch({
    ...{ count, kind: EventKind.series, market, source, line: cut(line), timeMs: cut(timeMs) },
    ...{ price: cut(price), size: cut(size), intervalMs: cut(intervalMs), id: cut(id) },
  });
}
