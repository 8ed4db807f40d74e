import { createHash } from "node:crypto";
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeFolder } from "../../files/makeFolder.ts";
import { nameFile } from "../../tables/nameFile.ts";
import type { RunRecord } from "./record.ts";

/** First line of a record's file, before the checksum. */
const MARK = "perplab-run 1";

/**
 * A folder of records, one file each, named by the hash of the job: `ab/abcdef….run`. A file is written whole under
 * another name first, and has the checksum of its record. So a killed or crowded writer leaves no half record. Several
 * processes may write to one folder.
 */
export class RunStore {
  readonly folder: string;
  readonly #onDamage: (path: string, reason: string) => void;
  readonly #known = new Set<string>();

  /** @param onDamage a record was refused; it is treated as missing */
  constructor(folder: string, onDamage: (path: string, reason: string) => void) {
    this.folder = folder;
    this.#onDamage = onDamage;
  }

  /** The record of a job by its hash, or undefined. */
  read(hash: string): RunRecord | undefined {
    const path = this.pathOf(hash);
    let text: string;
    try {
      text = readFileSync(path, "utf8");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
      throw error;
    }
    const end = text.indexOf("\n");
    const [mark, checksum] = [text.slice(0, MARK.length), text.slice(MARK.length + 1, end)];
    const body = text.slice(end + 1);
    if (mark !== MARK) return this.#refuse(path, "it is not a record of a run");
    if (checksum !== hashText(body)) return this.#refuse(path, "its checksum differs");
    const record = JSON.parse(body) as RunRecord;
    return record.hash === hash ? record : this.#refuse(path, "it is the record of another run");
  }

  /** Writes a record, over an older one of the same job. */
  write(record: RunRecord): void {
    const path = this.pathOf(record.hash);
    const folder = join(path, "..");
    if (!this.#known.has(folder)) makeFolder(folder);
    this.#known.add(folder);
    const body = `${JSON.stringify(record)}\n`;
    const part = `${path}.${process.pid}.part`;
    try {
      writeFileSync(part, `${MARK} ${hashText(body)}\n${body}`);
      renameSync(part, path);
    } catch (error) {
      rmSync(part, { force: true });
      throw nameFile(error, path);
    }
  }

  pathOf(hash: string): string {
    return join(this.folder, hash.slice(0, 2), `${hash}.run`);
  }

  #refuse(path: string, reason: string): undefined {
    this.#onDamage(path, reason);
  }
}

function hashText(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
