import { type FileHandle, open, readFile, rename } from "node:fs/promises";
import { dirname } from "node:path";
import type { Bytes32 } from "../../../protocol/fields.ts";
import { ClientError } from "../errors.ts";
import { isOutboxEntry, type Outbox, type OutboxEntry } from "./outbox.ts";

/** Lines after which the file is rewritten if most of them are obsolete. */
const LINES_MOST = 1_024;

/**
 * Stores entries in a file: one line for each entry that was put or removed, on disk before `put` resolves. A last line
 * that a crash cut off was never sent and is dropped.
 *
 * @throws {ClientError} OUTBOX_CORRUPT if another line is invalid
 */
export function fileOutbox(path: string): Outbox {
  const entries = new Map<Bytes32, OutboxEntry>();
  let lines = 0;
  let tail: Promise<unknown> = Promise.resolve();
  let opened: Promise<FileHandle> | undefined;

  /** Runs tasks one after another, to keep lines whole and in order. */
  function next<T>(task: (file: FileHandle) => Promise<T>): Promise<T> {
    opened ??= load();
    const done = tail.then(async () => task(await opened!));
    tail = done.catch(() => undefined);
    return done;
  }

  async function load(): Promise<FileHandle> {
    entries.clear();
    const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return "";
      throw error;
    });
    const whole = text.slice(0, text.lastIndexOf("\n") + 1);
    for (const [place, line] of whole.split("\n").slice(0, -1).entries()) readLine(line, place + 1);
    return rewrite();
  }

  function readLine(line: string, place: number): void {
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {}
    if (isOutboxEntry(value)) entries.set(value.txId, value);
    else if (isRemoval(value)) entries.delete(value.removed);
    else {
      const words = `${path}: line ${place} is not an outbox entry; inspect it, then remove it`;
      throw new ClientError("OUTBOX_CORRUPT", words, { place: `${path}:${place}` });
    }
  }

  /** Writes the open entries to a new file and renames it over the old one. */
  async function rewrite(): Promise<FileHandle> {
    const partial = `${path}.partial`;
    const file = await open(partial, "w");
    await file.writeFile([...entries.values()].map((entry) => `${JSON.stringify(entry)}\n`).join(""));
    await file.sync();
    await rename(partial, path);
    await syncFolder(dirname(path));
    lines = entries.size;
    return file;
  }

  async function append(file: FileHandle, line: unknown, isDurable: boolean): Promise<void> {
    await file.appendFile(`${JSON.stringify(line)}\n`);
    if (isDurable) await file.datasync();
    lines++;
    if (lines < LINES_MOST || lines < entries.size * 2) return;
    opened = rewrite();
    await opened;
    await file.close();
  }

  return {
    put: (entry) =>
      next(async (file) => {
        entries.set(entry.txId, entry);
        await append(file, entry, true);
      }),
    // If a crash loses a removal, the next start only reads an outcome again.
    remove: (txId) =>
      next(async (file) => {
        if (entries.delete(txId)) await append(file, { removed: txId }, false);
      }),
    list: () => next(async () => [...entries.values()]),
    close: () =>
      next(async (file) => {
        opened = undefined;
        await file.close();
      }),
  };
}

/** Makes the new name of a file durable; platforms that cannot open folders do so by themselves. */
async function syncFolder(path: string): Promise<void> {
  try {
    const folder = await open(path, "r");
    await folder.sync().finally(() => folder.close());
  } catch (error) {
    if (!["EISDIR", "EPERM", "EACCES", "EINVAL"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
  }
}

function isRemoval(value: unknown): value is { removed: Bytes32 } {
  return typeof value === "object" && value !== null && "removed" in value && typeof value.removed === "string";
}
