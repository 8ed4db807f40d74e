import { DataError } from "./errors.ts";
import { trimChunk } from "./stream/chunkBuilder.ts";
import { parseSource } from "./stream/marketName.ts";
import { isTape, openTape } from "./tape/openTape.ts";
import type { EventChunk, EventSource, QualityPolicy, ReadOptions, TapeManifest, TimeRange } from "./types.ts";

/** Imported where source files are read: a tape needs none of it. */
const loadMerge = () => import("./stream/mergeSources.ts");

/**
 * Source files as a stream, without a tape. The files are read once here, completely: faults are found before a run
 * uses them, and the manifest is known. Every use of `chunks` reads them again.
 *
 * @throws {DataError} the fault of a file, with its place; `chunks` throws DATA_CHANGED if a file was changed since
 */
export async function readSources(options: ReadOptions): Promise<EventSource> {
  const { mergeSources } = await loadMerge();
  const survey = await mergeSources(options);
  for await (const _ of survey.chunks());
  const manifest = survey.manifest();
  return {
    manifest,
    chunks: (range) => readAgain(options, manifest, range ?? {}),
    close: () => Promise.resolve(),
  };
}

async function* readAgain(
  { sources, allow, deny }: ReadOptions,
  expected: TapeManifest,
  range: TimeRange,
): AsyncGenerator<EventChunk> {
  const fromMs = range.fromMs ?? Number.NEGATIVE_INFINITY;
  const toMs = range.toMs ?? Number.POSITIVE_INFINITY;
  const { mergeSources } = await loadMerge();
  const merge = await mergeSources({
    sources,
    ...(allow === undefined ? {} : { allow }),
    ...(deny === undefined ? {} : { deny }),
  });
  for await (const chunk of merge.chunks()) {
    const trimmed = trimChunk(chunk, fromMs, toMs);
    if (trimmed !== undefined) yield trimmed;
  }
  for (const [index, source] of merge.manifest().sources.entries()) {
    if (source.sha256 === expected.sources[index]!.sha256) continue;
    throw new DataError("DATA_CHANGED", "the file was changed while it was in use", {
      file: source.file,
      hint: "run again, or import it to a tape first",
    });
  }
}

/**
 * Opens what a command line names as data: one tape, or source files as `[MARKET[:LAYOUT]=]PATH`.
 *
 * @throws {DataError} as `openTape`, `readSources` and `parseSource`
 */
export async function openData(
  texts: readonly string[],
  options: QualityPolicy & Pick<ReadOptions, "onProgress"> = {},
): Promise<EventSource> {
  const sources = texts.map(parseSource);
  for (const { path } of sources) {
    if (!(await isTape(path))) continue;
    if (sources.length === 1) return openTape(path);
    throw new DataError("SOURCE_INVALID", "a tape is read alone", {
      file: path,
      hint: "import all sources into one tape, or give the source files",
    });
  }
  return readSources({ ...options, sources });
}
