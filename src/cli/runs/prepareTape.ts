import { createHash } from "node:crypto";
import { existsSync, utimesSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { countOf, formatCount } from "../../ground/math/counts.ts";
import { makeFolder } from "../../product/files/makeFolder.ts";
import { splitArchivePath } from "../../product/market-data/files/archivePath.ts";
import type { QualityPolicy } from "../../product/market-data/types.ts";
import { TAPES } from "../../product/research/runs/storeFiles.ts";
import type { Context } from "../command.ts";
import { type PolicyOptions, readPolicy, sizeOf } from "../policy.ts";
import { startProgress } from "../progress.ts";
import { createReadingPace } from "../readingPace.ts";

/** Raised when a tape is written differently: those in a store are then made again. */
const TAPES_VERSION = 1;
/** Size of all tapes of a store above which old ones are removed, and the time for which each stays. */
const TAPES_BYTES = 10e9;
const TAPES_IDLE_MS = 7 * 86_400_000;
/** Error codes of a file that may not be changed. */
const READ_ONLY = ["EACCES", "EPERM", "EROFS"];

/**
 * The tape of the data that a command names. It is the tape itself, or one that is made once of the source files and
 * kept in the store under the hash of their paths and contents.
 *
 * @returns its absolute path
 * @throws {DataError} the fault of the files
 * @throws {CliError} FINDING_UNKNOWN
 */
export async function prepareTape(
  { terminal }: Context,
  texts: readonly string[],
  findings: PolicyOptions,
  store: string,
): Promise<string> {
  const { parseSource } = await import("../../product/market-data/stream/marketName.ts");
  const { isTape } = await import("../../product/market-data/tape/openTape.ts");
  const { importFiles } = await import("../../product/market-data/importFiles.ts");
  const { DataError } = await import("../../product/market-data/errors.ts");
  const policy = await readPolicy(findings);
  const sources = texts.map(parseSource);
  for (const { path } of sources) {
    if (!(await isTape(path))) continue;
    if (sources.length === 1) return resolve(path);
    throw new DataError("SOURCE_INVALID", "a tape is read alone", {
      file: path,
      hint: "import all sources into one tape, or give the source files",
    });
  }
  const folder = join(store, TAPES);
  const out = resolve(folder, `${await hashSources(sources, policy)}.tape`);
  if (existsSync(out)) {
    noteUse(out);
    return out;
  }
  makeFolder(folder);
  const total = await sizeOf(sources.map(({ path }) => path));
  const progress = await startProgress(terminal, { label: "reading", total, unit: "bytes" });
  const describe = createReadingPace(terminal);
  try {
    const { events } = await importFiles({
      ...policy,
      sources,
      out,
      onProgress: (done) => progress.update(done.bytesDone, describe(done)),
    });
    progress.finish(countOf(events, "event"));
  } catch (error) {
    progress.stop();
    throw error;
  }
  await pruneTapes(terminal, store);
  return out;
}

/**
 * The time of a tape's file is that of its last use, by which it is pruned. A store that may only be read is not
 * pruned.
 */
function noteUse(path: string): void {
  const now = new Date();
  try {
    utimesSync(path, now, now);
  } catch (error) {
    if (!READ_ONLY.includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
  }
}

/**
 * Bounds the tapes of a store: beyond `TAPES_BYTES`, those that were used longest ago go, if that is longer than
 * `TAPES_IDLE_MS`. They are copies of source files. Results are small, took long to make, and stay.
 */
async function pruneTapes({ err }: Context["terminal"], store: string): Promise<void> {
  const { choosePruned, listStore, removeStored } = await import("../../product/research/runs/storeFiles.ts");
  const nowMs = Date.now();
  const limits = { kinds: ["tape"], olderMs: Number.POSITIVE_INFINITY, bytesMost: TAPES_BYTES } as const;
  const chosen = choosePruned(listStore(store, nowMs) ?? [], limits, nowMs);
  const idle = chosen.filter(({ usedMs }) => nowMs - usedMs > TAPES_IDLE_MS);
  if (idle.length === 0) return;
  removeStored(idle);
  err(
    `${join(store, TAPES)}: removed ${formatCount(idle.length)} that no run has read for a week; see perplab runs list`,
  );
}

async function hashSources(
  sources: readonly { readonly path: string; readonly market?: string; readonly layout?: string }[],
  { allow = [], deny = [] }: QualityPolicy,
): Promise<string> {
  const hash = createHash("sha256").update(JSON.stringify([TAPES_VERSION, allow, deny]));
  for (const { path, market, layout } of sources) {
    // Words of the path may decide about layout, market and dates, so that equal files in two folders differ.
    hash.update(JSON.stringify([path, market, layout]));
    const { path: stored } = splitArchivePath(path);
    hash.update(
      createHash("sha256")
        .update(await readFile(stored))
        .digest(),
    );
    if (layout !== undefined && existsSync(layout)) hash.update(await readFile(layout));
  }
  return hash.digest("hex");
}
