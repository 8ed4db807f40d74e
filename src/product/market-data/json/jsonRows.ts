/** Rows of a JSON file: its values, split and read, as batches of numbers. Memory does not grow with the file. */
import { widthOf } from "../readers/exactColumns.ts";
import type { JsonSpec, Layout } from "../readers/layout.ts";
import { readCells } from "../scan/cells.ts";
import { appendRow, BATCH_ROWS, createRowBatch, type RowBatch } from "../scan/rowBatch.ts";
import type { FaultSink } from "../scan/scanner.ts";
import { buildFieldTree } from "./fieldTree.ts";
import { parsePath } from "./path.ts";
import { JsonFault, ValueReader } from "./readValue.ts";
import { ArraySplitter, LineSplitter, type ValueSlice, type ValueSplitter } from "./splitValues.ts";

/** The splitter of a file of this form. */
export function createSplitter(spec: Pick<JsonSpec, "in" | "array">): ValueSplitter {
  if (spec.in === "lines") return new LineSplitter();
  return new ArraySplitter(spec.array === undefined ? [] : parsePath(spec.array)!);
}

/** @throws {DataError} DATA_MALFORMED where the file cannot be split into values */
export async function* readJsonRows(
  layout: Layout,
  spec: JsonSpec,
  chunks: AsyncIterable<Uint8Array>,
  onFault: FaultSink,
): AsyncGenerator<RowBatch> {
  const splitter = createSplitter(spec);
  const names = layout.columns.map(({ name }) => name);
  const reader = new ValueReader(buildFieldTree(names, spec.rows));
  const scratch = new Float64Array(widthOf(layout));
  let batch = createRowBatch(layout);

  function* read(slices: readonly ValueSlice[]): Generator<RowBatch> {
    for (const { bytes, from, to, line } of slices) {
      for (const cells of readValue(reader, bytes, from, to, line, onFault)) {
        const faults = readCells(layout, cells, scratch);
        if (faults === undefined) {
          batch.passed++;
          continue;
        }
        if (faults.length > 0 && !onFault(line, faults)) continue;
        appendRow(batch, line, scratch);
        if (batch.count < BATCH_ROWS) continue;
        yield batch;
        batch = createRowBatch(layout);
      }
    }
  }

  for await (const chunk of chunks) yield* read(splitter.feed(chunk));
  yield* read(splitter.finish());
  if (batch.count > 0 || batch.passed > 0) yield batch;
}

function readValue(
  reader: ValueReader,
  bytes: Buffer,
  from: number,
  to: number,
  line: number,
  onFault: FaultSink,
): string[][] {
  try {
    return reader.read(bytes, from, to);
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error;
    const reason = `${error.message} (byte ${error.offset} of the value)`;
    const hint = "correct the value; json in a mapping file says where the rows are";
    onFault(line, [{ kind: "malformed", column: "", reason, hint }]);
    return [];
  }
}
