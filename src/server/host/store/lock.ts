import { closeSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { StoreError } from "./errors.ts";
import { folderError, makeFolder } from "./folder.ts";

/**
 * Locks a folder for this process. The lock of a killed process is taken over.
 *
 * @returns a function that unlocks it
 * @throws {StoreError} STORE_FOLDER, STORE_LOCKED
 */
export function lockFolder(path: string): () => void {
  makeFolder(path);
  const file = join(path, "lock");
  for (let tries = 0; ; tries++) {
    try {
      const lock = openSync(file, "wx");
      writeSync(lock, `${process.pid}\n`);
      closeSync(lock);
      held.add(file);
      return () => {
        held.delete(file);
        rmSync(file, { force: true });
      };
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== "EEXIST") throw folderError(path, cause);
      const owner = Number(readFileSync(file, "utf8"));
      if (tries > 0 || held.has(file) || (owner !== process.pid && isAlive(owner))) {
        throw new StoreError("STORE_LOCKED", `is in use by process ${owner}`, {
          file: path,
          hint: `stop that process; if it is not a perplab process, remove ${file}`,
          cause,
        });
      }
      rmSync(file, { force: true });
    }
  }
}

/** Locks of this process: in a container, for example, an earlier process may have had the same id. */
const held = new Set<string>();

function isAlive(owner: number): boolean {
  if (!Number.isSafeInteger(owner) || owner <= 0) return false;
  try {
    process.kill(owner, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
