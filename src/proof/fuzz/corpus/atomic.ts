import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { makeFolder } from "../../../product/files/makeFolder.ts";

/** Writes a file atomically: the old content stays until the new content is complete. */
export function writeAtomic(path: string, content: Uint8Array | string): void {
  makeFolder(dirname(path));
  const draft = `${path}.${process.pid}.part`;
  try {
    writeFileSync(draft, content);
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/** Returns the bytes of a file; undefined if it does not exist. */
export function readIfThere(path: string): Uint8Array | undefined {
  try {
    return readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
