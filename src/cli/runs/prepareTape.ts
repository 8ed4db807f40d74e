import { createHash } from "node:crypto";
import { existsSync, mkdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import type { QualityPolicy } from "../../product/market-data/types.ts";
import type { Context } from "../command.ts";
import { formatCount } from "../format.ts";
import { type PolicyOptions, readPolicy, sizeOf } from "../policy.ts";
import { startProgress } from "../progress.ts";

/** Raised when a tape is written differently: those in a store are then made again. */
const TAPES_VERSION = 1;

/**
 * The tape of the data that a command names: the tape itself, or one that is made of the source files once and kept in
 * the store under the hash of their contents.
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
  const folder = join(store, "tapes");
  const out = resolve(folder, `${await hashSources(sources, policy)}.tape`);
  if (existsSync(out)) return out;
  mkdirSync(folder, { recursive: true });
  const total = await sizeOf(sources.map(({ path }) => path));
  const progress = await startProgress(terminal, { label: "reading", total, unit: "bytes" });
  try {
    const { events } = await importFiles({
      ...policy,
      sources,
      out,
      onProgress: ({ bytesDone, rows }) => progress.update(bytesDone, `${formatCount(rows)} rows`),
    });
    progress.finish(`${formatCount(events)} events`);
    return out;
  } catch (error) {
    progress.stop();
    throw error;
  }
}

async function hashSources(
  sources: readonly { readonly path: string; readonly market?: string; readonly layout?: string }[],
  { allow = [], deny = [] }: QualityPolicy,
): Promise<string> {
  const hash = createHash("sha256").update(JSON.stringify([TAPES_VERSION, allow, deny]));
  for (const { path, market, layout } of sources) {
    hash.update(JSON.stringify([basename(path), market, layout]));
    hash.update(
      createHash("sha256")
        .update(await readFile(path))
        .digest(),
    );
    if (layout !== undefined && existsSync(layout)) hash.update(await readFile(layout));
  }
  return hash.digest("hex");
}
