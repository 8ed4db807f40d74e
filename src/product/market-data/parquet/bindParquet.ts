/**
 * A Parquet file: finds its layout by the names of its columns, and reads its rows as those of a table with a header.
 */

import type { Sample } from "../draft/sample.ts";
import { DataError } from "../errors.ts";
import type { ByteSource } from "../files/readBytes.ts";
import type { LoadedMapping } from "../mapping/loadMapping.ts";
import { detectLayout } from "../readers/detectLayout.ts";
import { widthOf } from "../readers/exactColumns.ts";
import type { Layout } from "../readers/layout.ts";
import { PLAIN_TABLES } from "../readers/table.ts";
import { readCells } from "../scan/cells.ts";
import { appendRow, BATCH_ROWS, createRowBatch, type RowBatch } from "../scan/rowBatch.ts";
import type { FaultSink } from "../scan/scanner.ts";
import type { BoundSource } from "../stream/openSource.ts";
import type { SourceFile } from "../types.ts";
import { openParquet, type ParquetFile } from "./openParquet.ts";

const SAMPLE_ROWS = 2000;

/** @throws {DataError} PARQUET_CORRUPT, FORMAT_UNSUPPORTED, and those of the layout */
export async function bindParquet(
  source: SourceFile,
  mapping: LoadedMapping | undefined,
  content: ByteSource,
): Promise<BoundSource> {
  const opened = await openParquet(content.path, content.file);
  const layout = await findLayout(source, mapping, opened, content.file);
  const rows = (onFault: FaultSink) => readParquetRows(layout, opened, content, onFault);
  return { layout, dialect: "parquet", firstLine: 1, rows };
}

async function* readParquetRows(
  layout: Layout,
  opened: ParquetFile,
  content: ByteSource,
  onFault: FaultSink,
): AsyncGenerator<RowBatch> {
  const read = layout.columns.flatMap(({ cell }, index) => (cell.type === "skip" ? [] : [index]));
  const cells = new Array<string>(layout.columns.length).fill("");
  const scratch = new Float64Array(widthOf(layout));
  let batch = createRowBatch(layout);
  let line = 0;
  for await (const row of opened.rows(read.map((index) => layout.columns[index]!.name))) {
    line++;
    for (const [place, index] of read.entries()) cells[index] = row[place]!;
    const faults = readCells(layout, cells, scratch);
    if (faults === undefined) batch.passed++;
    else if (faults.length === 0 || onFault(line, faults)) appendRow(batch, line, scratch);
    if (batch.count < BATCH_ROWS) continue;
    yield batch;
    batch = createRowBatch(layout);
  }
  if (batch.count > 0 || batch.passed > 0) yield batch;
  // The hash is that of the whole file.
  for await (const _ of content.chunks());
}

async function findLayout(
  source: SourceFile,
  mapping: LoadedMapping | undefined,
  opened: ParquetFile,
  file: string,
): Promise<Layout> {
  const sample = await sampleParquet(opened, file);
  const layout = await bindLayout(source, mapping, sample, file);
  const notes = layout.columns.flatMap(({ name, cell }) =>
    cell.type !== "skip" && opened.localTimes.includes(name)
      ? [`Times in column ${name} have no zone; UTC is assumed.`]
      : [],
  );
  return { ...layout, notes: [...layout.notes, ...notes] };
}

/** The names of the columns and the first rows, as a table with a header. */
export async function sampleParquet(opened: ParquetFile, file: string): Promise<ParquetSample> {
  const { names } = opened;
  const rows: string[][] = [];
  for await (const row of opened.rows(names, SAMPLE_ROWS)) rows.push(row);
  if (rows.length === 0) throw new DataError("DATA_EMPTY", "the file has no rows", { file });
  return { separator: ",", skipLines: 0, names, hasHeader: true, columns: names.length, rows };
}

type ParquetSample = Sample & { readonly names: readonly string[] };

async function bindLayout(
  source: SourceFile,
  mapping: LoadedMapping | undefined,
  sample: ParquetSample,
  file: string,
): Promise<Layout> {
  const { names, rows } = sample;
  if (mapping !== undefined) {
    const { header, json, separator, skipLines } = mapping.mapping;
    if (header !== true || json !== undefined || separator !== undefined || skipLines !== undefined) {
      throw new DataError("MAPPING_INVALID", "Parquet names its columns, and has no lines and separators", {
        file: mapping.file,
        hint: "set header: true, and leave json, separator and skipLines away",
      });
    }
    const { bindMapping } = await import("../mapping/bindMapping.ts");
    return bindMapping(mapping, { file, path: source.path, names, rows });
  }
  const isPlain = source.layout !== undefined && PLAIN_TABLES.includes(source.layout);
  const head = { file, source, first: names, second: rows[0]!, sample: () => [[...names], ...rows] };
  const known = isPlain ? undefined : detectLayout(head, source.layout);
  if (known !== undefined) return known;
  const { bindPlainTable } = await import("../draft/plainTable.ts");
  return bindPlainTable(sample, file, source.path, source.layout);
}
