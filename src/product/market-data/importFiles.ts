import { mergeSources } from "./stream/mergeSources.ts";
import { writeTape } from "./tape/writeTape.ts";
import type { ImportOptions, TapeManifest } from "./types.ts";

/**
 * Reads source files once and writes them to a tape, sorted by the total order and hashed. Memory does not grow with
 * the files, unless one has to be sorted because the policy allows it.
 *
 * @throws {DataError} the fault of a file, with its place; then no partial tape remains
 */
export async function importFiles(options: ImportOptions): Promise<TapeManifest> {
  const merge = await mergeSources(options);
  return writeTape(options.out, merge.chunks(), merge.manifest);
}
