import { open, writeFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";
import { formatDecimal } from "../../../ground/math/decimal.ts";
import { openBytes } from "../../market-data/files/readBytes.ts";
import { QualityLog } from "../../market-data/quality.ts";
import type { ColumnIndex, Layout, StreamSpec } from "../../market-data/readers/layout.ts";
import { formatExact } from "../../market-data/scan/exactDecimal.ts";
import type { EventBatch } from "../../market-data/stream/eventBatch.ts";
import { marketOf } from "../../market-data/stream/marketName.ts";
import { type OpenedSource, openSource } from "../../market-data/stream/openSource.ts";
import { Projector } from "../../market-data/stream/project.ts";
import { openTape } from "../../market-data/tape/openTape.ts";
import { writeTape } from "../../market-data/tape/writeTape.ts";
import type { QualityPolicy, SourceFile } from "../../market-data/types.ts";
import { changeSource } from "./changedSource.ts";
import { type EventRow, type Future, FutureChanger } from "./future.ts";

/** Most bytes of text of a file that is copied. */
const TEXT_MOST = 256 * 1024 * 1024;

/** Writes a tape with another future, for a strategy that opens the tape of its own run. */
export async function copyTape(path: string, future: Future, to: string): Promise<void> {
  const tape = await openTape(path);
  try {
    const changed = changeSource(tape, future);
    await writeTape(to, changed.chunks(), () => tape.manifest);
  } finally {
    await tape.close();
  }
}

/**
 * Writes a source file with another future. It has the same lines, but the prices, sizes and rates after the cut are
 * those that the run is shown. Compressed as the original is.
 *
 * @returns false for a file that is not copied: a zip archive, JSON, Parquet, or more than 256 MB of text
 */
export async function copySource(
  source: SourceFile,
  policy: QualityPolicy,
  future: Future,
  to: string,
): Promise<boolean> {
  const opened = await openSource(source);
  if (opened.dialect === "json" || opened.dialect === "parquet") return false;
  const text = await readText(source.path);
  if (text === undefined) return false;
  const market = future.markets.findIndex(({ name }) => name === marketOf(source));
  const changer = new FutureChanger(future);
  const lines = text.content.split("\n");
  const name = marketOf(source);
  const idOf = (series: string) => (future.series ?? []).findIndex((one) => one.market === name && one.name === series);
  for await (const { spec, batch } of readEvents(opened, policy, Math.max(0, market), idOf)) {
    const changing = { layout: opened.layout, spec, batch, changer, idOf };
    for (let row = 0; row < batch.count; row++) {
      const line = batch.line[row]! - 1;
      lines[line] = changeLine(lines[line]!, changing, row);
    }
  }
  const content = lines.join("\n");
  await writeFile(to, text.isGzip ? gzipSync(content, { level: 1 }) : content);
  return true;
}

async function readText(path: string): Promise<{ content: string; isGzip: boolean } | undefined> {
  const source = await openBytes(path);
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of source.chunks()) {
    bytes += chunk.length;
    if (bytes > TEXT_MOST) return undefined;
    parts.push(chunk);
  }
  const handle = await open(path);
  const magic = new Uint8Array(2);
  await handle.read(magic, 0, 2, 0).finally(() => handle.close());
  if (magic[0] === 0x50 && magic[1] === 0x4b) return undefined;
  return { content: Buffer.concat(parts).toString("utf8"), isGzip: magic[0] === 0x1f && magic[1] === 0x8b };
}

async function* readEvents(
  opened: OpenedSource,
  policy: QualityPolicy,
  market: number,
  idOf: (series: string) => number,
): AsyncGenerator<{ readonly spec: StreamSpec; readonly batch: EventBatch }> {
  const { layout } = opened;
  const log = new QualityLog(policy);
  log.addSource(0, opened.file, layout.allow);
  const projectors = layout.streams.map(
    (spec) => new Projector(spec, layout, market, 0, log, spec.shape === "series" ? spec.names.map(idOf) : []),
  );
  const rows = opened.rows((line, faults) => {
    for (const { kind, column, reason, isFatal } of faults) log.report(kind, 0, line, column, reason, { isFatal });
    return faults.every((fault) => fault.truncated === true);
  });
  for await (const batch of rows) {
    for (const projector of projectors) yield { spec: projector.spec, batch: projector.project(batch) };
  }
}

/** The events of a file that is being copied. */
interface Changing {
  readonly layout: Layout;
  readonly spec: StreamSpec;
  readonly batch: EventBatch;
  readonly changer: FutureChanger;
  readonly idOf: (series: string) => number;
}

function changeLine(line: string, { layout, spec, batch, changer, idOf }: Changing, row: number): string {
  const read = (column: Float64Array) => (column.length === 0 ? 0 : column[row]!);
  const event: EventRow = {
    kind: batch.kind,
    market: batch.market,
    timeMs: batch.timeMs[row]!,
    intervalMs: read(batch.intervalMs),
    price: read(batch.price),
    size: read(batch.size),
    open: read(batch.open),
    high: read(batch.high),
    low: read(batch.low),
    rate: read(batch.rate),
    id: read(batch.id),
  };
  if (!changer.change(event)) return line;
  const separator = String.fromCharCode(layout.separator);
  const cells = line.split(separator);
  // A separator within quotes: the places of cells are not those of columns.
  if (cells.length !== layout.columns.length) return line;
  if (spec.shape === "series") {
    const column = spec.values[spec.names.map(idOf).indexOf(event.id) % spec.values.length]!;
    const { cell } = layout.columns[column]!;
    const text = formatExact({ whole: event.price, fraction: event.size });
    cells[column] = replaceNumber(cells[column]!, text, cell.type === "exact" && cell.comma === true);
  }
  for (const [column, value] of valuesOf(spec, event)) {
    const { cell } = layout.columns[column]!;
    if (cell.type !== "decimal" || cell.decimals < 0) continue;
    const text = formatDecimal(value, cell.decimals);
    cells[column] = replaceNumber(cells[column]!, text, cell.comma === true);
  }
  return cells.join(separator);
}

function replaceNumber(cell: string, text: string, hasComma: boolean): string {
  return cell.replace(/[-+\d.,eE]+/, hasComma ? text.replace(".", ",") : text);
}

/** The columns of a row whose values a future changes; those of series are exact decimals. */
function valuesOf(spec: StreamSpec, event: EventRow): [ColumnIndex, number][] {
  switch (spec.shape) {
    case "candle":
      return [
        [spec.open, event.open],
        [spec.high, event.high],
        [spec.low, event.low],
        [spec.close, event.price],
        ...sizeOf(spec.size, event.size),
      ];
    case "trade":
      return [[spec.price, event.price], ...sizeOf(spec.size, event.size)];
    case "point":
      return [[spec.price, event.price]];
    case "funding":
      return [[spec.rate, event.rate]];
    case "series":
    // A backtest takes no order book.
    case "depth":
    case "levels":
    case "quote":
      return [];
  }
}

function sizeOf(size: (StreamSpec & { shape: "trade" })["size"] | undefined, value: number): [ColumnIndex, number][] {
  return size?.from === "base" && size.multiplier === 1 ? [[size.column, value]] : [];
}
