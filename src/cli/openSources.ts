import { countOf } from "../ground/math/counts.ts";
import type { EventSource } from "../product/market-data/types.ts";
import type { Context } from "./command.ts";
import { type PolicyOptions, readPolicy, sizeOf } from "./policy.ts";
import { startProgress } from "./progress.ts";
import { createReadingPace } from "./readingPace.ts";

export interface DataOptions extends PolicyOptions {
  /** A tape, or files as `[MARKET[:LAYOUT]=]PATH`. */
  readonly data: readonly string[];
  /** Prints nothing about the reading. */
  readonly silent?: boolean;
}

/**
 * Opens the data that a command names, and shows the progress of reading on a terminal.
 *
 * @throws {DataError} the fault of the files
 * @throws {CliError} FINDING_UNKNOWN
 */
export async function openSources(
  { terminal }: Context,
  { data, silent, ...findings }: DataOptions,
): Promise<EventSource> {
  const { openData } = await import("../product/market-data/readSources.ts");
  const { parseSource } = await import("../product/market-data/stream/marketName.ts");
  const policy = await readPolicy(findings);
  const total = await sizeOf(data.map((text) => parseSource(text).path));
  const progress =
    silent === true ? undefined : await startProgress(terminal, { label: "reading", total, unit: "bytes" });
  const describe = createReadingPace(terminal);
  try {
    const source = await openData(data, {
      ...policy,
      onProgress: (done) => progress?.update(done.bytesDone, describe(done)),
    });
    progress?.finish(countOf(source.manifest.events, "event"));
    return source;
  } catch (error) {
    progress?.stop();
    throw error;
  }
}
