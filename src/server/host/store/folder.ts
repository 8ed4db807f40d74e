import { accessSync, constants, mkdirSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { StoreError } from "./errors.ts";

/**
 * Creates a folder with its parents if needed, and checks that files can be created in it.
 *
 * @throws {StoreError} STORE_FOLDER
 */
export function makeFolder(path: string): void {
  try {
    make(resolve(path));
    accessSync(path, constants.W_OK | constants.X_OK);
  } catch (cause) {
    throw folderError(path, cause);
  }
}

/** The error for a folder that cannot be created, or not written to. */
export function folderError(path: string, cause: unknown): StoreError {
  if (cause instanceof StoreError) return cause;
  const { code = "", message } = cause as NodeJS.ErrnoException;
  const reason = REASONS[code] ?? message;
  return new StoreError("STORE_FOLDER", reason, { file: path, hint: "choose another folder", cause });
}

const REASONS: Readonly<Record<string, string>> = {
  EEXIST: "is a file; the store needs a folder",
  ENOTDIR: "cannot be made: a part of its path is a file",
  EACCES: "cannot be written to: permission is missing",
  EPERM: "cannot be written to: the system does not permit it",
  EROFS: "cannot be written to: the file system is read-only",
  ENOSPC: "cannot be written to: no space is left on the device",
  ENOENT: "cannot be made: its parent takes no folders",
  ENAMETOOLONG: "cannot be made: its name is too long",
};

/** Without `recursive`: with it Node never returns if the parent exists and takes no folder, as in /proc. */
function make(path: string): void {
  try {
    mkdirSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (isFolder(path)) return;
    const parent = dirname(path);
    if (code !== "ENOENT" || parent === path || isFolder(parent)) throw error;
    make(parent);
    mkdirSync(path);
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
