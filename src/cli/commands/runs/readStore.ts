import { formatCount } from "../../../ground/math/counts.ts";
import { listStore, type StoredFile, sumBytes } from "../../../product/research/runs/storeFiles.ts";
import { usageError } from "../../fail.ts";
import { formatSize } from "../../format.ts";

/**
 * The files of a store.
 *
 * @throws {CliError} STORE_MISSING
 */
export function readStore(folder: string, nowMs: number): StoredFile[] {
  const files = listStore(folder, nowMs);
  if (files !== undefined) return files;
  throw usageError("STORE_MISSING", "there is no such folder, so nothing is stored", {
    place: folder,
    hint: "--store names the folder that the sweep was given",
  });
}

/** Number and size of some files. */
export interface Count {
  readonly count: number;
  readonly bytes: number;
}

/** By kind, and of all files. */
export function countFiles(files: readonly StoredFile[]): Readonly<Record<"results" | "tapes" | "remnants", Count>> {
  const of = (wanted: StoredFile["kind"]) => {
    const found = files.filter(({ kind }) => kind === wanted);
    return { count: found.length, bytes: sumBytes(found) };
  };
  return { results: of("result"), tapes: of("tape"), remnants: of("remnant") };
}

/** `12 results (48.1 kB), 1 tape (34.0 MB)`. Remnants are named only if there are any. */
export function formatCounts(files: readonly StoredFile[]): string {
  const { results, tapes, remnants } = countFiles(files);
  const parts = [format(results, "result"), format(tapes, "tape")];
  if (remnants.count > 0) parts.push(format(remnants, "unfinished file"));
  return parts.join(", ");
}

function format({ count, bytes }: Count, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? "" : "s"} (${formatSize(bytes)})`;
}
