/**
 * `perplab/market-data`: history as a stream of events.
 *
 *     const source = await openData(["BTC-PERP=BTCUSDT-aggTrades-2024-01.zip"]);
 *     for await (const chunk of source.chunks()) { ... }
 */

export { type Best, RecordedBook } from "./book/recordedBook.ts";
export { checkData, type MarketCheck } from "./check/checkData.ts";
export type { ComparisonResult, Difference } from "./check/comparison.ts";
export type { BookResult } from "./check/quoteCheck.ts";
export { type DraftedFile, draftMappingFile } from "./draft/draftFile.ts";
export {
  DataError,
  type DataErrorCode,
  type DataErrorPlace,
  isDataError,
} from "./errors.ts";
export { importFiles } from "./importFiles.ts";
export { loadMapping, parseMapping } from "./mapping/loadMapping.ts";
export { type Mapping, mappingSchema } from "./mapping/schema.ts";
export { FINDING_KINDS } from "./quality.ts";
export { KNOWN_LAYOUTS } from "./readers/table.ts";
export { openData, readSources } from "./readSources.ts";
export { marketOf, parseSource } from "./stream/marketName.ts";
export { openTape } from "./tape/openTape.ts";
export type {
  EventChunk,
  EventKindCode,
  EventKindName,
  EventSource,
  Finding,
  FindingKind,
  FindingSample,
  ImportOptions,
  ImportProgress,
  MarketSummary,
  QualityPolicy,
  ReadOptions,
  SeriesSummary,
  SourceFile,
  SourceSummary,
  TapeManifest,
  TimeRange,
} from "./types.ts";
export { BookFlag, EVENT_KINDS, EventKind } from "./types.ts";
