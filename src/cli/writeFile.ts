import { constants, existsSync, rmdirSync, statSync } from "node:fs";
import { access, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { makeFolder } from "../product/files/makeFolder.ts";
import { nameFile } from "../product/tables/nameFile.ts";
import { usageError } from "./fail.ts";

/** A file to write. */
export interface WholeFile {
  readonly path: string;
  readonly text: string;
}

/**
 * Writes all files whole, or none: the old files stay until every new text is complete on the disk. Their folders must
 * exist, see `reserveFiles`.
 */
export async function writeWholeFiles(files: readonly WholeFile[]): Promise<void> {
  const drafts = files.map(({ path }) => `${path}.${process.pid}.part`);
  try {
    for (const [at, { path, text }] of files.entries()) {
      await writeFile(drafts[at]!, text).catch((error: unknown) => Promise.reject(nameFile(error, path)));
    }
    for (const [at, { path }] of files.entries()) await rename(drafts[at]!, path);
  } catch (error) {
    await Promise.all(drafts.map((draft) => rm(draft, { force: true })));
    throw error;
  }
}

/**
 * Makes sure, before a long work, that files can be written after it: creates their folders and asks for permission.
 *
 * @returns removes the folders that were created, as far as they are empty: for a work that failed
 * @throws the system's error where a folder cannot be made or written to; {CliError} FILE_EXPECTED, FOLDER_EXPECTED
 */
export async function reserveFiles(paths: readonly string[]): Promise<() => void> {
  const created: string[] = [];
  const release = () => {
    for (const folder of created.reverse()) removeIfEmpty(folder);
  };
  try {
    for (const path of paths) {
      const folder = dirname(resolve(path));
      const file = findFileOnTheWay(folder);
      if (file !== undefined)
        throw usageError("FOLDER_EXPECTED", "this is a file, a folder was expected", { place: file });
      created.push(...missingFolders(folder));
      makeFolder(folder);
      await access(folder, constants.W_OK);
      if (existsSync(path) && statSync(path).isDirectory()) {
        const hint = `name a file, for example ${join(path, "out")}`;
        throw usageError("FILE_EXPECTED", "this is a folder, a file was expected", { place: path, hint });
      }
    }
  } catch (error) {
    release();
    throw error;
  }
  return release;
}

/**
 * Refuses a file that is named twice: the last text of it would silently replace the first.
 *
 * @throws {CliError} OUTPUT_REPEATED
 */
export function requireDistinct(paths: readonly string[]): void {
  const seen = new Set<string>();
  for (const path of paths) {
    const full = resolve(path);
    if (seen.has(full)) {
      throw usageError("OUTPUT_REPEATED", "this file is named twice", { place: path, hint: "leave one of them out" });
    }
    seen.add(full);
  }
}

/** The file that is in the way of a folder: the nearest existing path at or above it, if that is a file. */
function findFileOnTheWay(folder: string): string | undefined {
  if (existsSync(folder)) return statSync(folder).isDirectory() ? undefined : folder;
  return findFileOnTheWay(dirname(folder));
}

/** The folders on the way to this one that are not there yet, outermost first. */
function missingFolders(folder: string): string[] {
  return existsSync(folder) ? [] : [...missingFolders(dirname(folder)), folder];
}

function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Something is in it by now, or it is gone: this work must not remove it.
  }
}
