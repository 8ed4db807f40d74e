import { type Dirent, lstatSync, readdirSync, rmdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * Kind of a file of a store: the record of a run, a tape made of source files, or the unfinished file of a killed
 * process.
 */
export type StoredKind = "result" | "tape" | "remnant";

export interface StoredFile {
  readonly path: string;
  readonly kind: StoredKind;
  readonly bytes: number;
  /** When a record was written, or a tape was used last; milliseconds since 1970. */
  readonly usedMs: number;
}

/** Folder of the tapes in a store. */
export const TAPES = "tapes";

/** A file that is written for longer than this was left by a process that was killed. */
const REMNANT_MS = 86_400_000;

const SHELF = new RegExp(`^([0-9a-f]{2}|${TAPES})$`);
const RECORD = /^[0-9a-f]{64}\.run$/;
const TAPE = /^[0-9a-f]{64}\.tape$/;
const PART = /^[0-9a-f]{64}\.(run|tape)\.\d+\.part$/;

/**
 * The files of a store, by path. Other files in its folder are none of it, and links are not followed.
 *
 * @returns undefined if there is no such folder
 */
export function listStore(folder: string, nowMs: number): StoredFile[] | undefined {
  const entries = readFolder(folder);
  if (entries === undefined) return undefined;
  const shelves = entries.filter((entry) => entry.isDirectory() && SHELF.test(entry.name));
  const files = shelves.flatMap(({ name: shelf }) =>
    (readFolder(join(folder, shelf)) ?? []).flatMap(({ name }) => readFile(join(folder, shelf, name), shelf, name)),
  );
  return files.filter(({ kind, usedMs }) => kind !== "remnant" || nowMs - usedMs > REMNANT_MS);
}

/** Which files of a store to remove. */
export interface Pruning {
  /** Files of these kinds alone. Remnants always go. */
  readonly kinds: readonly StoredKind[];
  /** Those that were used last longer ago than this; Infinity for none. */
  readonly olderMs: number;
  /** Then those that were used longest ago, until the others have at most this size together; Infinity for any size. */
  readonly bytesMost: number;
}

/** The files that go, those that were used longest ago first. */
export function choosePruned(
  files: readonly StoredFile[],
  { kinds, olderMs, bytesMost }: Pruning,
  nowMs: number,
): StoredFile[] {
  const sorted = files
    .filter(({ kind }) => kind === "remnant" || kinds.includes(kind))
    .sort((a, b) => a.usedMs - b.usedMs || (a.path < b.path ? -1 : 1));
  let left = sumBytes(sorted.filter(({ kind }) => kind !== "remnant"));
  return sorted.filter(({ kind, usedMs, bytes }) => {
    if (kind === "remnant") return true;
    if (nowMs - usedMs <= olderMs && left <= bytesMost) return false;
    left -= bytes;
    return true;
  });
}

/** Removes files of a store, and folders that are empty then. One that another process has removed is no fault. */
export function removeStored(files: readonly StoredFile[]): void {
  for (const { path } of files) rmSync(path, { force: true });
  for (const shelf of new Set(files.map(({ path }) => dirname(path)))) {
    try {
      rmdirSync(shelf);
    } catch {
      // It has other files, or is gone.
    }
  }
}

export function sumBytes(files: readonly StoredFile[]): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** The contents of a folder, by name; undefined if it does not exist. */
function readFolder(path: string): Dirent[] | undefined {
  try {
    return readdirSync(path, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

function readFile(path: string, shelf: string, name: string): StoredFile[] {
  const kind = PART.test(name)
    ? "remnant"
    : shelf === TAPES
      ? TAPE.test(name) && "tape"
      : RECORD.test(name) && "result";
  if (kind === false) return [];
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats?.isFile() === true ? [{ path, kind, bytes: stats.size, usedMs: Math.floor(stats.mtimeMs) }] : [];
}
