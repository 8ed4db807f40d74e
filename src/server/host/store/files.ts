import {
  closeSync,
  fdatasync,
  fdatasyncSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { makeFolder } from "./folder.ts";

/** A file of the store. Offsets are bytes from its start. */
export interface StoreFile {
  size(): number;
  /** Fills the buffer up to the end of the file, and returns the number of bytes. */
  read(into: Uint8Array, at: number): number;
  /** Writes all of the bytes, or throws; then an unknown number of them was written. */
  write(bytes: Uint8Array, at: number): void;
  /** Makes all earlier writes durable. After a failure none of them is certain. */
  sync(): Promise<void>;
  syncNow(): void;
  truncate(size: number): void;
  close(): void;
}

/** The folder of a store: the part of a file system that the store uses, so that tests can inject faults. */
export interface StoreFiles {
  /** For messages. */
  readonly path: string;
  list(): string[];
  /** @param mode `create` fails if the file exists */
  open(name: string, mode: "create" | "write" | "read"): StoreFile;
  rename(from: string, to: string): void;
  remove(name: string): void;
  /** Makes names durable: of created, renamed and removed files. */
  syncFolder(): void;
}

const datasync = promisify(fdatasync);

const FLAGS = { create: "wx+", write: "r+", read: "r" } as const;

/**
 * A folder of the machine; created if it does not exist.
 *
 * @throws {StoreError} STORE_FOLDER
 */
export function openFolder(path: string): StoreFiles {
  makeFolder(path);
  return {
    path,
    list: () => readdirSync(path).sort(),
    open: (name, mode) => fileOf(openSync(join(path, name), FLAGS[mode])),
    rename: (from, to) => renameSync(join(path, from), join(path, to)),
    remove: (name) => rmSync(join(path, name), { force: true }),
    syncFolder() {
      // Windows cannot open a folder, and needs no sync of one.
      if (process.platform === "win32") return;
      const folder = openSync(path, "r");
      try {
        fsyncSync(folder);
      } finally {
        closeSync(folder);
      }
    },
  };
}

function fileOf(file: number): StoreFile {
  return {
    size: () => fstatSync(file).size,
    read(into, at) {
      let done = 0;
      while (done < into.length) {
        const got = readSync(file, into, done, into.length - done, at + done);
        if (got === 0) break;
        done += got;
      }
      return done;
    },
    write(bytes, at) {
      let done = 0;
      while (done < bytes.length) done += writeSync(file, bytes, done, bytes.length - done, at + done);
    },
    sync: () => datasync(file),
    syncNow: () => fdatasyncSync(file),
    truncate: (size) => ftruncateSync(file, size),
    close: () => closeSync(file),
  };
}
