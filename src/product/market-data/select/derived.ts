import type { EventChunk, TapeManifest } from "../types.ts";

/** A stream that is made of other streams: take the chunks to the end, then the manifest. */
export interface Derived {
  /** Names of its markets, by index. */
  readonly markets: readonly string[];
  /** Name of a series by the id of its events, once the first of them is there. */
  nameSeries(id: number): string;
  chunks(): AsyncGenerator<EventChunk>;
  /** Complete once the chunks are. */
  manifest(): TapeManifest;
}
