import { createHash } from "node:crypto";
import { createReadStream, realpathSync, statSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { splitArchivePath } from "../../market-data/files/archivePath.ts";
import { isTape } from "../../market-data/tape/openTape.ts";
import type { QualityPolicy, SourceFile, TapeManifest } from "../../market-data/types.ts";
import { copySource, copyTape } from "./changedCopy.ts";
import type { DataCopies } from "./checkLookahead.ts";
import type { FileRead } from "./fileWatch.ts";
import type { Future } from "./future.ts";

/**
 * Copies of the files of a run's data, in a folder of the caller.
 *
 * @param sources the files that the run was given: one tape, or source files
 */
export function createDataCopies(
  folder: string,
  sources: readonly SourceFile[],
  policy: QualityPolicy,
  manifest: TapeManifest,
): DataCopies {
  const known = new Map<string, SourceFile>();
  let round = 0;
  let current: string | undefined;
  return {
    async recognise(reads: readonly FileRead[]) {
      // A copy under another name belongs to the market of its original.
      const given = new Map(
        sources.map((source, place) => [
          realpathSync(splitArchivePath(source.path).path),
          { ...source, market: manifest.sources[place]!.market },
        ]),
      );
      const hashes = await hashAll([...given.keys()]);
      for (const { path } of reads) {
        const source = given.get(path) ?? (await findCopy(path, given, hashes));
        if (source !== undefined) known.set(path, { ...source, path });
      }
      return [...known.keys()];
    },
    async write(paths: readonly string[], future: Future) {
      current = join(folder, `copies-${++round}`);
      const redirects: Record<string, string> = {};
      for (const [place, path] of paths.entries()) {
        const source = known.get(path)!;
        const own = join(current, String(place));
        await mkdir(own, { recursive: true });
        const to = join(own, basename(path));
        if (await isTape(path)) await copyTape(path, future, to);
        else if (!(await copySource(source, policy, future, to))) continue;
        redirects[path] = to;
      }
      return redirects;
    },
    async clear() {
      if (current !== undefined) await rm(current, { recursive: true, force: true });
      current = undefined;
    },
  };
}

async function hashAll(paths: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const hashes = new Map<string, string>();
  for (const path of paths) hashes.set(path, await hashFile(path));
  return hashes;
}

/** A file with the same bytes under another name. */
async function findCopy(
  path: string,
  given: ReadonlyMap<string, SourceFile>,
  hashes: ReadonlyMap<string, string>,
): Promise<SourceFile | undefined> {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat?.isFile() !== true) return undefined;
  const alike = [...given].filter(([own]) => statSync(own).size === stat.size);
  if (alike.length === 0) return undefined;
  const hash = await hashFile(path);
  return alike.find(([own]) => hashes.get(own) === hash)?.[1];
}

async function hashFile(path: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return hash.digest("hex");
}
