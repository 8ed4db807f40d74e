/** From rows to events: one projector for each stream of a layout. */
import { DataError } from "../errors.ts";
import type { QualityLog } from "../quality.ts";
import type {
  CandleSpec,
  FundingSpec,
  IntervalSpec,
  Layout,
  PointSpec,
  StreamSpec,
  TradeSpec,
} from "../readers/layout.ts";
import type { RowBatch } from "../scan/rowBatch.ts";
import { EventKind } from "../types.ts";
import { BookRows, type SpreadRows } from "./bookRows.ts";
import { createEventBatch, type EventBatch } from "./eventBatch.ts";
import { readSeries, type SeriesPlace } from "./seriesRows.ts";
import { SizeReader } from "./sizes.ts";

const HOUR_MS = 3_600_000;

/** Turns batches of rows into events of one stream, and checks what can be seen in one file: order and OHLC. */
export class Projector {
  readonly spec: StreamSpec;
  private readonly layout: Layout;
  private readonly market: number;
  private readonly source: number;
  private readonly log: QualityLog;
  private readonly sizes: SizeReader;
  private readonly book: BookRows;
  private readonly series: SeriesPlace;
  /** Latest time so far. */
  private latest = Number.NEGATIVE_INFINITY;

  /** @param seriesIds places of the series that the stream names */
  constructor(
    spec: StreamSpec,
    layout: Layout,
    market: number,
    source: number,
    log: QualityLog,
    seriesIds: readonly number[] = [],
  ) {
    this.spec = spec;
    this.layout = layout;
    this.market = market;
    this.source = source;
    this.log = log;
    this.sizes = new SizeReader(layout, source, log);
    this.book = new BookRows(this.sizes);
    this.series = { market, source, log, ids: seriesIds };
  }

  /** @throws {DataError} for what the quality policy does not allow */
  project(rows: RowBatch): EventBatch {
    const chosen = this.spec.everyMs === 0 ? rows : pickEvery(rows, this.spec);
    const batch = this.convert(this.dropEmpty(chosen));
    this.checkOrder(batch);
    return batch;
  }

  private convert(rows: RowBatch): EventBatch {
    const { spec } = this;
    switch (spec.shape) {
      case "trade":
        return this.convertTrades(rows, spec);
      case "candle":
        return this.convertCandles(rows, spec);
      case "point":
        return this.convertPoints(rows, spec);
      case "funding":
        return this.convertFunding(rows, spec);
      case "depth":
        return createEventBatch({ ...this.base(rows, rows.values[spec.time]!), ...this.book.readChanges(rows, spec) });
      case "levels":
        return this.spread(this.book.readLevels(rows, spec), rows, spec);
      case "quote":
        return this.spread(this.book.readQuotes(rows, spec), rows, spec);
      case "series": {
        const { covers, time } = spec;
        const coversMs = covers === undefined ? undefined : this.convertIntervals(rows, covers, rows.values[time]!);
        return readSeries(rows, spec, this.layout, coversMs, this.series);
      }
    }
  }

  private base(rows: RowBatch, timeMs: Float64Array) {
    return {
      count: rows.count,
      kind: EventKind[this.spec.kind],
      market: this.market,
      source: this.source,
      line: rows.line,
      timeMs,
    };
  }

  /** Events of which a row gives several, or none. */
  private spread({ from, ...columns }: SpreadRows, rows: RowBatch, { time }: StreamSpec): EventBatch {
    const pick = (column: Float64Array) => Float64Array.from(from, (row) => column[row]!);
    const { kind, market, source } = this.base(rows, rows.line);
    const batch = { count: from.length, kind, market, source, line: pick(rows.line), timeMs: pick(rows.values[time]!) };
    return createEventBatch({ ...batch, ...columns });
  }

  /** Columns are handed on as they are: a batch of rows is never used twice. */
  private convertTrades(rows: RowBatch, spec: TradeSpec): EventBatch {
    const price = rows.values[spec.price]!;
    const side = new Int8Array(rows.count);
    if (spec.side !== undefined) {
      const from = rows.values[spec.side]!;
      for (let row = 0; row < rows.count; row++) side[row] = from[row]!;
    }
    return createEventBatch({
      ...this.base(rows, rows.values[spec.time]!),
      price,
      size: this.sizes.read(rows, spec.size, price),
      side,
      ...(spec.id === undefined ? {} : { id: rows.values[spec.id]! }),
    });
  }

  private convertPoints(rows: RowBatch, spec: PointSpec): EventBatch {
    return createEventBatch({ ...this.base(rows, rows.values[spec.time]!), price: rows.values[spec.price]! });
  }

  private convertFunding(rows: RowBatch, spec: FundingSpec): EventBatch {
    const time = rows.values[spec.time]!;
    return createEventBatch({
      ...this.base(rows, time),
      rate: rows.values[spec.rate]!,
      intervalMs: this.convertIntervals(rows, spec.interval, time),
    });
  }

  private convertCandles(rows: RowBatch, spec: CandleSpec): EventBatch {
    const sound = this.dropBadOhlc(rows, spec);
    const label = sound.values[spec.time]!;
    const intervalMs = this.convertIntervals(sound, spec.interval, label);
    let timeMs = label;
    if (spec.label === "open") {
      timeMs = new Float64Array(sound.count);
      for (let row = 0; row < sound.count; row++) timeMs[row] = label[row]! + intervalMs[row]!;
    }
    const price = sound.values[spec.close]!;
    let open = sound.values[spec.open]!;
    if (spec.clampOpen) open = this.clampOpens(sound, spec);
    return createEventBatch({
      ...this.base(sound, timeMs),
      price,
      open,
      high: sound.values[spec.high]!,
      low: sound.values[spec.low]!,
      intervalMs,
      ...(spec.size === undefined ? {} : { size: this.sizes.read(sound, spec.size, price) }),
    });
  }

  private columnName(index: number): string {
    return this.layout.columns[index]!.name;
  }

  private convertIntervals(rows: RowBatch, spec: IntervalSpec, time: Float64Array): Float64Array {
    const intervals = new Float64Array(rows.count);
    for (let row = 0; row < rows.count; row++) {
      let interval: number;
      if (spec.from === "constant") interval = spec.ms;
      else if (spec.from === "hours") interval = rows.values[spec.column]![row]! * HOUR_MS;
      else interval = rows.values[spec.column]![row]! - time[row]! + 1;
      if (interval <= 0 && spec.from === "closeTime") {
        throw this.malformed(rows, row, this.columnName(spec.column), "the bar ends before it begins");
      }
      intervals[row] = interval;
    }
    return intervals;
  }

  private malformed(rows: RowBatch, row: number, column: string, reason: string): DataError {
    return new DataError("DATA_MALFORMED", reason, {
      file: this.log.fileOf(this.source),
      line: rows.line[row]!,
      column,
      hint: "repair the file",
    });
  }

  private dropEmpty(rows: RowBatch): RowBatch {
    const kept: number[] = [];
    for (const column of this.spec.skipEmpty) {
      if (!rows.values[column]!.subarray(0, rows.count).some(Number.isNaN)) continue;
      kept.length = 0;
      for (let row = 0; row < rows.count; row++) {
        if (!Number.isNaN(rows.values[column]![row]!)) kept.push(row);
        else this.log.report("nullRow", this.source, rows.line[row]!, this.columnName(column), "the cell is empty");
      }
      rows = pickRows(rows, kept);
    }
    return rows;
  }

  private dropBadOhlc(rows: RowBatch, spec: CandleSpec): RowBatch {
    const open = rows.values[spec.open]!;
    const high = rows.values[spec.high]!;
    const low = rows.values[spec.low]!;
    const close = rows.values[spec.close]!;
    let kept: number[] | undefined;
    for (let row = 0; row < rows.count; row++) {
      const h = high[row]!;
      const l = low[row]!;
      const isSound =
        l <= h && close[row]! <= h && close[row]! >= l && (spec.clampOpen || (open[row]! <= h && open[row]! >= l));
      if (isSound) {
        kept?.push(row);
        continue;
      }
      const reason = l > h ? "low is above high" : "open or close lies outside low..high";
      this.log.report("badOhlc", this.source, rows.line[row]!, this.columnName(l > h ? spec.low : spec.open), reason);
      kept ??= Array.from({ length: row }, (_, index) => index);
    }
    return kept === undefined ? rows : pickRows(rows, kept);
  }

  private clampOpens(rows: RowBatch, spec: CandleSpec): Float64Array {
    const opens = rows.values[spec.open]!.slice(0, rows.count);
    const high = rows.values[spec.high]!;
    const low = rows.values[spec.low]!;
    const column = this.columnName(spec.open);
    for (let row = 0; row < rows.count; row++) {
      const open = opens[row]!;
      const clamped = Math.min(Math.max(open, low[row]!), high[row]!);
      if (clamped === open) continue;
      opens[row] = clamped;
      this.log.report("badOhlc", this.source, rows.line[row]!, column, "open lies outside low..high", {
        treatment: "open clamped",
        isDecided: true,
      });
    }
    return opens;
  }

  private checkOrder(batch: EventBatch): void {
    const { timeMs, count } = batch;
    const sign = this.layout.newestFirst === true ? -1 : 1;
    let latest = this.latest;
    for (let row = 0; row < count; row++) {
      const time = timeMs[row]! * sign;
      if (time < latest) {
        // A row with several values of series is one finding.
        if (this.spec.shape === "series" && row > 0 && batch.line[row] === batch.line[row - 1]) continue;
        const reason = `the time is ${latest - time} ms ${sign > 0 ? "before" : "after"} that of a row above`;
        this.log.report("unsorted", this.source, batch.line[row]!, this.columnName(this.spec.time), reason, {
          hint:
            row === 1 && sign > 0
              ? "if the file begins with its newest row, set order: newestFirst in a mapping file; else sort it by time"
              : undefined,
        });
      } else {
        latest = time;
      }
    }
    this.latest = latest;
  }
}

function pickEvery(rows: RowBatch, spec: StreamSpec): RowBatch {
  const times = rows.values[spec.time]!;
  const offsetMs = spec.shape === "funding" ? spec.offsetMs : 0;
  const kept: number[] = [];
  for (let row = 0; row < rows.count; row++) if ((times[row]! - offsetMs) % spec.everyMs === 0) kept.push(row);
  return pickRows(rows, kept);
}

function pickRows(rows: RowBatch, kept: readonly number[]): RowBatch {
  const pick = (column: Float64Array): Float64Array =>
    column.length === 0 ? column : Float64Array.from(kept, (row) => column[row]!);
  return { count: kept.length, passed: 0, line: pick(rows.line), values: rows.values.map(pick) };
}
