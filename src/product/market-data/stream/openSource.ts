/** Opens one source file: finds its form and layout from its first bytes, then reads its rows. */
import { DataError, isDataError } from "../errors.ts";
import { isJson } from "../files/formats.ts";
import { type ByteSource, openBytes } from "../files/readBytes.ts";
import type { LoadedMapping } from "../mapping/loadMapping.ts";
import type { Layout } from "../readers/layout.ts";
import type { RowBatch } from "../scan/rowBatch.ts";
import type { FaultSink } from "../scan/scanner.ts";
import type { SourceFile, SourceSummary } from "../types.ts";
import { readHead } from "./fileHead.ts";
import { isMappingPath } from "./marketName.ts";

/** What reads the rows of a file: the byte scanner, csv-parse where there are quotes, JSON, Parquet. */
export type Dialect = SourceSummary["dialect"];

/** A file with its layout. Its rows can be read once. */
export interface BoundSource {
  readonly layout: Layout;
  readonly dialect: Dialect;
  /** Line of the first row. */
  readonly firstLine: number;
  rows(onFault: FaultSink): AsyncGenerator<RowBatch>;
}

/** A source file whose layout is known. Its rows can be read once. */
export interface OpenedSource extends BoundSource {
  readonly file: string;
  readonly bytes: number;
  /** Whether the layout was found in the file rather than stated by the user. */
  readonly isSniffed: boolean;
  /** Data rows read so far, refused ones included. */
  rowCount(): number;
  sha256(): string;
}

export interface OpenOptions {
  readonly onBytes?: (count: number) => void;
  /** Reads text with csv-parse whatever it looks like. */
  readonly dialect?: "csv";
}

/** What a form of files needs to find its layout and its rows. */
export interface FileToBind {
  readonly source: SourceFile;
  readonly mapping: LoadedMapping | undefined;
  /** Name of the file, without folders. */
  readonly file: string;
  /** Name of the file in its archive. */
  readonly member: string | undefined;
  /** The first bytes of the content, without a byte order mark. */
  readonly head: Uint8Array;
  /** The content after them. */
  readonly rest: AsyncGenerator<Uint8Array>;
  readonly options: OpenOptions;
}

/**
 * Opens a source file. Modules for mapping files, quoted values, unknown columns, JSON and Parquet are imported only if
 * the file needs them, since they are most of what reading would load.
 *
 * @throws {DataError} of the file, its mapping or its layout
 */
export async function openSource(source: SourceFile, options: OpenOptions = {}): Promise<OpenedSource> {
  const mapping = isMappingPath(source.layout) ? await loadMappingOf(source.layout) : undefined;
  const content = await openBytes(source.path, options.onBytes);
  const bound = await bind(source, mapping, content, options);
  let rowCount = 0;

  async function* rows(onFault: FaultSink): AsyncGenerator<RowBatch> {
    let refused = 0;
    const count: FaultSink = (line, faults) => {
      const keep = onFault(line, faults);
      if (!keep) refused++;
      return keep;
    };
    try {
      for await (const batch of bound.rows(count)) {
        const { timeOfDay } = bound.layout;
        if (timeOfDay !== undefined) addTimeOfDay(batch, timeOfDay);
        rowCount += batch.count + batch.passed;
        yield batch;
      }
      rowCount += refused;
    } catch (error) {
      throw withFile(error, content.file);
    }
  }

  return {
    ...bound,
    file: content.file,
    bytes: content.bytes,
    isSniffed: source.layout === undefined,
    rows,
    rowCount: () => rowCount,
    sha256: content.sha256,
  };
}

async function bind(
  source: SourceFile,
  mapping: LoadedMapping | undefined,
  content: ByteSource,
  options: OpenOptions,
): Promise<BoundSource> {
  const { file } = content;
  try {
    if (content.isParquet) {
      const { bindParquet } = await import("../parquet/bindParquet.ts");
      return await bindParquet(source, mapping, content);
    }
    const rest = content.chunks();
    const head = await readHead(rest, file);
    const toBind: FileToBind = { source, mapping, file, member: content.member, head, rest, options };
    if (isJson(head)) {
      const { bindJson } = await import("../json/bindJson.ts");
      return await bindJson(toBind);
    }
    if (mapping?.mapping.json !== undefined) {
      throw new DataError("DATA_LAYOUT", "the mapping is for JSON, and the file is none", { file, line: 1 });
    }
    const { bindText } = await import("./bindText.ts");
    return await bindText(toBind);
  } catch (error) {
    throw withFile(error, file);
  }
}

async function loadMappingOf(path: string): Promise<LoadedMapping> {
  const { loadMapping } = await import("../mapping/loadMapping.ts");
  return loadMapping(path);
}

function addTimeOfDay({ values, count }: RowBatch, { date, time }: NonNullable<Layout["timeOfDay"]>): void {
  for (let row = 0; row < count; row++) values[date]![row]! += values[time]![row]!;
}

/** An error below that knows the line but not the file. */
function withFile(error: unknown, file: string): unknown {
  if (!isDataError(error) || error.file !== undefined) return error;
  const { code, message, line, column, hint } = error;
  const reason = message.replace(/^column [^:]*: /, "");
  return new DataError(code, reason, {
    file,
    ...(line === undefined ? {} : { line }),
    ...(column === undefined ? {} : { column }),
    ...(hint === undefined ? {} : { hint }),
    cause: error,
  });
}
